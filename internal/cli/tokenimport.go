package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"espy/internal/bearer"
	"espy/internal/place"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

func (p *program) tokenImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Take the tokens of the data folder over into a team's database",
		Long: `Copies the tokens that were made before the setting database_url was there from the
data folder into the team's database, with their roles, repositories and ends, and gives
the file another name. Expired tokens are copied too. A token that sees only some
repositories names them by UUID: make a new one where they were attached anew.`,
		Example: "  espy token import",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.cfg.DatabaseURL == "" {
				return &usage.Error{Msg: "there is no team's database to take tokens over into", Hint: "set database_url, such as ESPY_DATABASE_URL=postgres://espy@db.example:5432/espy"}
			}
			file := bearer.InFolder(p.cfg.DataDir)
			all, err := bearer.NewStore(file).List(cmd.Context())
			if err != nil {
				return err
			}
			added := 0
			err = p.withTokens(func(s *bearer.Store) (err error) { added, err = s.Import(cmd.Context(), all); return err })
			if err != nil {
				return err
			}
			if err := os.Rename(file.Path(), file.Path()+".imported"); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if p.json {
				return p.printJSON(map[string]int{"imported": added, "known": len(all) - added})
			}
			return p.print(fmt.Sprintf("took over %d tokens of %s; %d were there", added, place.Name(file.Path()), len(all)-added))
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

// tellUnused says that tokens of the data folder do not count, where those of a team do.
func (p *program) tellUnused() {
	if p.cfg.DatabaseURL == "" {
		return
	}
	if file := bearer.InFolder(p.cfg.DataDir); fileIs(file.Path()) {
		fmt.Fprintf(p.stderr, "espy: tokens of a team are in its database, and those in %s do not count; `espy token import` takes them over\n", place.Name(file.Path()))
	}
}

func fileIs(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
