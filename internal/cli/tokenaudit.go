package cli

import (
	"espy/internal/app"
	"espy/internal/touches"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) tokenAudit() *cobra.Command {
	var by touches.Filter
	since := "7d"
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Export who touched which repository, from a team's database",
		Long: `Writes who touched which repository through any server of the team (setting
database_url), one JSON object a line, the oldest first. Each call of a tool is a line
for every repository that it touched. espy serve deletes what is older than its flag
--audit-days.`,
		Example: `  espy token audit --since 30d > audit.jsonl
  espy token audit --repo shop --who ann`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			past, err := parseLife(since)
			if err != nil {
				return err
			}
			by.Since = time.Now().Add(-past)
			return p.withOptions(app.Options{}, func(a *app.App) error {
				return a.Touches(cmd.Context(), by, func(t touches.Touch) error { return p.printJSON(t) })
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&since, "since", since, "how long back, as a `time`: 12h, 30d")
	flags.StringVar(&by.Who, "who", "", "only callers whose `name` begins so")
	flags.StringVarP(&by.Repo, "repo", "r", "", "only those of a `repository`, by its name")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
	return cmd
}
