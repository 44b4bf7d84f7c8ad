package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script of a shell",
		Long: `Prints a script that completes commands, flags, paths, symbols, repositories,
languages and modes in a shell. In bash it needs no other package.`,
		Example: `  source <(espy completion bash)
  espy completion zsh > "${fpath[1]}/_espy"
  espy completion fish > ~/.config/fish/completions/espy.fish`,
		Args:      oneShell,
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			return printCompletion(cmd, args[0])
		},
	}
}

// printCompletion prints the script of one of shells.
func printCompletion(cmd *cobra.Command, shell string) error {
	root, out := cmd.Root(), cmd.OutOrStdout()
	switch shell {
	case "bash":
		var script bytes.Buffer
		if err := root.GenBashCompletionV2(&script, true); err != nil {
			return err
		}
		_, err := out.Write(bytes.Replace(script.Bytes(), []byte("    _get_comp_words_by_ref \"$@\" cur prev words cword\n"), []byte(bashWords), 1))
		return err
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	}
	return root.GenPowerShellCompletionWithDesc(out)
}

// bashWords finds the words up to the cursor where the package bash-completion, which has
// _get_comp_words_by_ref, is not loaded: bash itself parts them at = and : too.
const bashWords = `    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local i word blank rest=${COMP_LINE:0:COMP_POINT}
    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blank=${rest%%[![:space:]]*}
        rest=${rest#"$blank"}
        word=${COMP_WORDS[i]}
        if [[ ${rest} != "${word}"* ]]; then # the cursor is in it
            word=${rest}
        fi
        rest=${rest#"$word"}
        if [[ ${cword} -lt 0 || -n ${blank} ]]; then
            words[++cword]=${word}
        else
            words[cword]+=${word}
        fi
    done
    cur=${words[cword]}
    prev=${words[cword > 0 ? cword - 1 : 0]}
`

var shells = []string{"bash", "zsh", "fish", "powershell"}

func oneShell(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && slices.Contains(shells, args[0]) {
		return nil
	}
	return &usage.Error{Msg: "completion needs one shell: " + strings.Join(shells, ", ")}
}

// needArgs asks for exactly one argument, or for at least one when n is 1 and
// the command takes more.
func needArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= n {
			return nil
		}
		return &usage.Error{Msg: fmt.Sprintf("%s needs %s", cmd.CommandPath(), what), Hint: "see " + cmd.CommandPath() + " --help"}
	}
}

// atMost refuses arguments beyond n.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return &usage.Error{Msg: fmt.Sprintf("%s takes no argument %s", cmd.CommandPath(), quote(args[n])), Hint: "see " + cmd.CommandPath() + " --help"}
	}
}

// exactly asks for one argument.
func exactly(what string) cobra.PositionalArgs { return cobra.MatchAll(needArgs(1, what), atMost(1)) }

func wordsOf[T ~string](list []T) []string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return words
}

// completeWords completes a flag with fixed words.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	completeFlag(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a completion for a flag that is not defined, or a second one
	}
}

// completeRepos completes a flag with the attached repositories and more words.
func (p *program) completeRepos(cmd *cobra.Command, flag string, more ...string) {
	completeFlag(cmd, flag, func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		names, directive := p.repoNames(cmd, nil, typed)
		return append(names, more...), directive
	})
}

// repoNames completes a first argument with the attached repositories.
func (p *program) repoNames(cmd *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	err := p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := w.Repos(cmd.Context())
		for _, r := range list {
			names = append(names, r.Name())
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names, cobra.ShellCompDirectiveDefault
}

// refFlag adds --ref.
func (p *program) refFlag(cmd *cobra.Command, ref *string) {
	cmd.Flags().StringVar(ref, "ref", "", "use the files of this `branch`, tag or commit, without a checkout")
	p.completeRefs(cmd, "ref")
}

// completeRefs completes a flag with the branches and tags of the repository of
// the working directory.
func (p *program) completeRefs(cmd *cobra.Command, flag string) {
	completeFlag(cmd, flag, func(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		err := p.withWorkspace(func(w *workspace.Workspace) error {
			r, err := p.attached(cmd.Context(), w, "")
			if err != nil {
				return err
			}
			names, err = r.Refs(cmd.Context())
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
}

// completeLanguages completes a flag with the languages of the repository of
// the working directory.
func (p *program) completeLanguages(cmd *cobra.Command, flag string) {
	completeFlag(cmd, flag, func(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		err := p.withWorkspace(func(w *workspace.Workspace) error {
			r, err := p.attached(cmd.Context(), w, "")
			if err != nil {
				return err
			}
			status, err := r.Status(cmd.Context())
			for name := range status.Languages {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}
