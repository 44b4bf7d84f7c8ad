package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"espy/internal/eval"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// evalNavigation answers sets of questions about symbols and writes what their
// scorer reads.
func (p *program) evalNavigation(ctx context.Context, f *evalFlags) (err error) {
	if f.corpora == "" || f.out == "" && f.report == "" {
		return &usage.Error{Msg: "eval --navigation needs --corpora, and --out or --report", Hint: "see espy eval --help"}
	}
	var sets []*eval.NavigationSet
	for _, path := range f.navigation {
		set, err := eval.ReadNavigationSet(path)
		if err != nil {
			return err
		}
		sets = append(sets, set)
	}
	p.cfg.DataDir = f.indexes
	if f.indexes == "" {
		if p.cfg.DataDir, err = os.MkdirTemp("", "espy-eval-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(p.cfg.DataDir)) }()
	}
	var n *eval.Navigation
	if err := p.withWorkspace(func(w *workspace.Workspace) (err error) {
		n, err = eval.Navigate(ctx, w, f.corpora, sets)
		return err
	}); err != nil {
		return err
	}
	if f.out != "" {
		if err := writeFile(f.out, func(w io.Writer) error { return json.NewEncoder(w).Encode(n) }); err != nil {
			return err
		}
	}
	if f.report != "" {
		page, err := n.NavigationReport(f.navigation)
		if err != nil {
			return err
		}
		if err := writeFile(f.report, func(w io.Writer) error { _, err := w.Write(page); return err }); err != nil {
			return err
		}
	}
	return p.print(n.Speed())
}
