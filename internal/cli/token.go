package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/app"
	"espy/internal/bearer"
	"espy/internal/permit"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make and end the tokens that espy serve asks for",
		Long: `Makes, lists, renews and ends the tokens that espy serve asks its clients for. They
are kept in the data folder, in a file that only its owner may read and that has no
secret; with the setting database_url in the team's database, where every server of the
team knows them. A running server heeds every change at once.`,
		Example: `  espy token create --name ci --role read --repo shop
  espy token list
  espy token revoke ci`,
		Args: cobra.ArbitraryArgs,
		RunE: runRoot,
	}
	cmd.AddCommand(p.tokenCreate(), p.tokenList(), p.tokenRotate(), p.tokenRevoke(), p.tokenAudit(), p.tokenImport())
	return cmd
}

func (p *program) tokenCreate() *cobra.Command {
	var t bearer.Token
	var repos []string
	role, life := string(permit.Read), "90d"
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a token and show it once",
		Long: `Makes a token and prints it. It is not kept, and cannot be shown again. The role
read asks questions, index also changes indexes of attached repositories, admin also
attaches and removes repositories. With --repo no other repository exists for it.`,
		Example: `  espy token create --name ci
  espy token create --name ann --role index --repo shop,api --expires 30d`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			until, err := parseLife(life)
			if err != nil {
				return err
			}
			if t.Role, err = oneOf("role", role, permit.Roles); err != nil {
				return err
			}
			if t.Repos, err = p.idsOf(cmd, repos); err != nil {
				return err
			}
			return p.withTokens(func(s *bearer.Store) error {
				made, text, err := s.Create(cmd.Context(), t, until)
				if err != nil {
					return err
				}
				return p.printToken(&made, text)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&t.Name, "name", "", "whom the token is for, as the audit has it")
	flags.StringVar(&role, "role", role, "what it may do: read, index or admin")
	flags.StringSliceVarP(&repos, "repo", "r", nil, "the only `repositories` that it sees, by name or UUID; all if not given")
	flags.StringVar(&life, "expires", life, "`time` that it lives: 12h, 30d; at most 366d")
	p.jsonFlag(cmd)
	completeWords(cmd, "role", "read", "index", "admin")
	p.completeRepos(cmd, "repo")
	return cmd
}

// withTokens calls f with the tokens of the team, or of the data folder.
func (p *program) withTokens(f func(*bearer.Store) error) error {
	if p.cfg.DatabaseURL == "" {
		return f(bearer.NewStore(bearer.InFolder(p.cfg.DataDir)))
	}
	return p.withOptions(app.Options{}, func(a *app.App) error { return f(a.Tokens()) })
}

// idsOf are the UUIDs of attached repositories: a name may change its owner.
func (p *program) idsOf(cmd *cobra.Command, names []string) (ids []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	return ids, p.withWorkspace(func(w *workspace.Workspace) error {
		for _, name := range names {
			r, err := p.lookUp(cmd.Context(), w, name)
			if err != nil {
				return err
			}
			ids = append(ids, string(r.ID()))
		}
		return nil
	})
}

// parseLife reads a time that may be in days.
func parseLife(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 10_000 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, &usage.Error{Arg: "expires", Value: text, Msg: "is no time", Hint: "such as 12h or 30d"}
	}
	return d, nil
}

// shownToken is a token in JSON.
type shownToken struct {
	Token   string      `json:"token,omitempty"` // the text, when it is made
	ID      string      `json:"id"`
	Name    string      `json:"name"`
	Role    permit.Role `json:"role"`
	Repos   []string    `json:"repositories,omitempty"` // UUIDs; absent is all
	Created time.Time   `json:"created"`
	Expires time.Time   `json:"expires"`
	Expired bool        `json:"expired,omitempty"`
}

func shownOf(t *bearer.Token, text string) shownToken {
	return shownToken{text, t.ID, t.Name, t.Role, t.Repos, t.Created, t.Expires, !time.Now().Before(t.Expires)}
}

// printToken prints a token alone on standard output, so that a script can take it.
func (p *program) printToken(t *bearer.Token, text string) error {
	if p.json {
		return p.printJSON(shownOf(t, text))
	}
	fmt.Fprintf(p.stderr, "%s; it is not shown again\n", p.line(t))
	return p.print(text)
}

// line describes a token.
func (p *program) line(t *bearer.Token) string {
	sees := "all repositories"
	if len(t.Repos) > 0 {
		sees = "only " + strings.Join(t.Repos, " ")
	}
	until := "until " + t.Expires.UTC().Format(time.RFC3339)
	if !time.Now().Before(t.Expires) {
		until = "expired " + t.Expires.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("%s  %s  %s  %s  %s", t.ID, render.Clean(t.Name), t.Role, sees, until)
}

func (p *program) tokenList() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tokens, without their secrets",
		Example: "  espy token list --json",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all []bearer.Token
			err := p.withTokens(func(s *bearer.Store) (err error) { all, err = s.List(cmd.Context()); return err })
			if err != nil {
				return err
			}
			if p.json {
				list := []shownToken{}
				for _, t := range all {
					list = append(list, shownOf(&t, ""))
				}
				return p.printJSON(map[string]any{"tokens": list, "total": len(list)})
			}
			if len(all) == 0 {
				return p.print("no tokens; espy token create makes one")
			}
			for _, t := range slices.Backward(all) {
				if err := p.print(p.line(&t)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) tokenRotate() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rotate ID",
		Short:   "Give a token a new secret, and end the old one",
		Long:    "Gives a token a new secret and a new life as long as its first. The old secret ends at once.",
		Example: "  espy token rotate ci",
		Args:    exactly("the id or the name of a token"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withTokens(func(s *bearer.Store) error {
				t, text, err := s.Rotate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return p.printToken(&t, text)
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) tokenRevoke() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "revoke ID",
		Short:   "End a token at once",
		Example: "  espy token revoke ci",
		Args:    exactly("the id or the name of a token"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var t bearer.Token
			err := p.withTokens(func(s *bearer.Store) (err error) { t, err = s.Revoke(cmd.Context(), args[0]); return err })
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(shownOf(&t, ""))
			}
			return p.print("revoked " + t.ID + "  " + render.Clean(t.Name))
		},
	}
	p.jsonFlag(cmd)
	return cmd
}
