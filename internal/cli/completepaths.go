package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"espy/internal/complete"
	"espy/internal/place"
	"espy/internal/workspace"
)

// completions is how many paths or names a shell is offered at most.
const completions = 200

// quickly is how long a completion waits for the index.
var quickly = workspace.Wait{First: 100 * time.Millisecond, Fresh: 100 * time.Millisecond}

// completeArgs completes the arguments of the commands that take paths, symbols or both.
func (p *program) completeArgs(cmd *cobra.Command) {
	switch cmd.Name() {
	case "symbol", "symbols", "references", "calls", "hierarchy":
		cmd.ValidArgsFunction = p.completes(p.symbolNames)
	case "outline", "read", "blame", "history", "similar", "dependencies", "audit", "overview", "files":
		cmd.ValidArgsFunction = p.completes(p.pathNames)
	case "impact", "context":
		cmd.ValidArgsFunction = p.completes(func(cmd *cobra.Command, r *workspace.Repo, typed string) ([]string, error) {
			paths, err := p.pathNames(cmd, r, typed)
			if err != nil || strings.Contains(typed, "/") {
				return paths, err
			}
			names, err := p.symbolNames(cmd, r, typed)
			return append(paths, names...), err
		})
	}
}

// completes offers what find finds in the repository of the question, where one is
// attached. Without an offer the shell completes files itself.
func (p *program) completes(find func(*cobra.Command, *workspace.Repo, string) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) (offered []string, directive cobra.ShellCompDirective) {
		err := p.withWorkspace(func(w *workspace.Workspace) error {
			named := ""
			if f := cmd.Flag("repo"); f != nil && f.Changed {
				named = strings.Trim(f.Value.String(), "[]")
			}
			r, err := p.attached(cmd.Context(), w, named)
			if err == nil {
				offered, err = find(cmd, r, typed)
			}
			return err
		})
		if err != nil || len(offered) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		if slices.ContainsFunc(offered, func(name string) bool { return strings.HasSuffix(name, "/") }) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return offered, directive
	}
}

// pathNames are the files and folders that begin with what was typed, each up to its
// next slash, relative to the working directory.
func (p *program) pathNames(cmd *cobra.Command, r *workspace.Repo, typed string) (names []string, err error) {
	var folder place.Folder
	if f := cmd.Flag("repo"); f == nil || !f.Changed {
		folder = p.stands([]*workspace.Repo{r}, nil).folder
	}
	prefix, ok := folder.FromRoot(typed)
	if !ok {
		return nil, nil
	}
	if prefix != "" && (typed == "" || strings.HasSuffix(typed, "/")) {
		prefix += "/"
	}
	paths, err := complete.Paths(cmd.Context(), r, prefix, 0, quickly)
	for _, path := range paths {
		if next := strings.IndexByte(path[len(prefix):], '/'); next >= 0 {
			path = path[:len(prefix)+next+1]
		}
		shown := folder.Show(path)
		if strings.HasSuffix(path, "/") {
			shown = strings.TrimSuffix(shown, "/") + "/"
		}
		if len(names) == 0 || names[len(names)-1] != shown {
			names = append(names, shown)
		}
	}
	return names[:min(len(names), completions)], err
}

func (p *program) symbolNames(cmd *cobra.Command, r *workspace.Repo, typed string) ([]string, error) {
	if typed == "" {
		return nil, nil
	}
	return complete.Symbols(cmd.Context(), r, typed, completions, quickly)
}
