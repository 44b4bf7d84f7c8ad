package cli

import (
	"strings"

	"espy/internal/audit"
	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) auditCommand() *cobra.Command {
	var f navFlags
	var req audit.Request
	form, report, check := "", "", false
	cmd := &cobra.Command{
		Use:   "audit [PATH]",
		Short: "Report what is worth a second look: complexity, unused code, cycles, forbidden imports, duplicates",
		Long: `Reports what is worth a second look in the code of a repository, a folder or a file.
Tests, examples, generated files and third-party code are not judged.

Reports, all of them unless --report names one:
  forbidden   imports that a rule of --forbid, or of the setting forbid, forbids
  cycles      files and packages that import each other
  unused      symbols that nothing uses
  complexity  functions of more branches or lines than --complexity and --lines
  duplicates  code that is there twice

A rule is 'A -> B': files of A must not import B; or layers, 'A > B > C': none may
import one that stands before it. A and B are globs of files and folders, B also a
module from elsewhere.`,
		Example: `  espy audit
  espy audit --report unused internal/store
  espy audit --forbid 'internal/store -> internal/cli' --check
  espy audit --forbid 'cli > workspace > store' --report forbidden --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			drawn, err := optional("format", form, render.Diagrams)
			if err != nil {
				return err
			}
			if req.Report, err = optional("report", report, audit.Reports); err != nil {
				return err
			}
			req.Path, req.Set, req.Limit, req.Offset = argOr(args, ""), p.cfg.Forbid, f.limit, f.offset
			return p.navigate(cmd.Context(), &f, func(r *workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if req.Path, err = f.stand.path(req.Path); err != nil {
					return nil, nil, err
				}
				found, _, err := audit.Ask(cmd.Context(), r, req, w)
				if err != nil {
					return nil, nil, err
				}
				return render.Audit{Answer: found, As: drawn}, audited(found, check), nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	cmd.Flags().StringVar(&report, "report", "", "make only this `report`: "+strings.Join(wordsOf(audit.Reports), ", "))
	cmd.Flags().StringArrayVar(&req.Rules, "forbid", nil, "`rule` of imports that are forbidden; repeatable")
	cmd.Flags().IntVar(&req.Complexity, "complexity", 0, "list functions of more than `n` branches (0: 15)")
	cmd.Flags().IntVar(&req.Lines, "lines", 0, "list functions of more than `n` lines (0: 100)")
	cmd.Flags().BoolVar(&check, "check", false, "end with code 1 if anything is found, for use in CI")
	cmd.Flags().StringVar(&form, "format", "", "draw cycles and forbidden imports: mermaid or dot")
	completeWords(cmd, "report", wordsOf(audit.Reports)...)
	completeWords(cmd, "format", wordsOf(render.Diagrams)...)
	return cmd
}

// audited is how a command ends that printed findings: with --check, having found
// something is the failure.
func audited(a *audit.Answer, check bool) error {
	if a.Left > 0 {
		return errPartial
	}
	if check && a.Total > 0 {
		return errNothing
	}
	return nil
}
