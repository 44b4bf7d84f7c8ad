package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/code"
	"espy/internal/export"
	"espy/internal/export/scip"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// exportFlags are the flags of espy export.
type exportFlags struct {
	request             export.Request
	repo, ref           string
	scope, form, output string
	kinds               []string
}

// The formats of an export.
const (
	formatLines = "jsonl"
	formatSCIP  = "scip"
)

var exportFormats = []string{formatLines, formatSCIP}

func (p *program) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write symbols, references and edges as JSON Lines or SCIP",
		Long: `Writes what is known of a whole repository for other tools: its symbols, what each
use of a name means, and the edges between them: calls, imports, subtypes, overrides
and what frameworks join.

  jsonl  a JSON object a line: meta, then file, symbol, reference and edge, then end
  scip   an index of the SCIP Code Intelligence Protocol

Uses that are certain or likely are written; those that may as well mean something
else are counted. Files come in the order of their paths, and the same state of a
repository gives the same bytes. A FILE appears when it is whole: an export that fails
or is interrupted leaves it as it was. docs/export.md describes the records.`,
		Example: `  espy export > repo.jsonl
  espy export --kind calls --kind imports --path 'internal/**'
  espy export --format scip --output index.scip`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.export(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.form, "format", "f", formatLines, "`format`: jsonl or scip")
	flags.StringVarP(&f.output, "output", "o", "-", "write to this `file`; - is standard output")
	pathFlag(cmd, &f.request.Paths)
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.kinds, "kind", "k", nil, "of jsonl: only records of this `kind`; repeatable: "+strings.Join(wordsOf(export.Kinds), ", "))
	flags.BoolVar(&f.request.Locals, "locals", false, "of jsonl: also parameters and names inside functions (scip always has them)")
	flags.StringVarP(&f.repo, "repo", "r", "", "`repository` by name, path or UUID")
	p.refFlag(cmd, &f.ref)
	completeWords(cmd, "format", exportFormats...)
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	completeWords(cmd, "kind", wordsOf(export.Kinds)...)
	p.completeLanguages(cmd, "lang")
	p.completeRepos(cmd, "repo")
	secretsFlag(cmd)
	return cmd
}

func (f *exportFlags) check(terminal bool) (err error) {
	if f.form, err = oneOf("format", f.form, exportFormats); err != nil {
		return err
	}
	if f.request.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return err
	}
	for _, k := range f.kinds {
		kind, err := oneOf("kind", k, export.Kinds)
		if err != nil {
			return err
		}
		f.request.Kinds = append(f.request.Kinds, kind)
	}
	if f.form != formatSCIP {
		return nil
	}
	if len(f.kinds) > 0 {
		return &usage.Error{Msg: "--kind is given with --format scip", Hint: "SCIP holds all it has room for: leave --kind out, or use --format jsonl"}
	}
	if terminal && f.output == "-" {
		return &usage.Error{Msg: "SCIP is no text for a terminal", Hint: "write it to a file: --output index.scip"}
	}
	f.request.Locals, f.request.Kinds = true, scip.Kinds
	return nil
}

func (p *program) export(ctx context.Context, f *exportFlags) error {
	if err := f.check(p.terminal); err != nil {
		return err
	}
	f.request.ShowSecrets = p.cfg.ShowSecrets
	var form export.Form = &render.ExportLines{Version: versionText()}
	if f.form == formatSCIP {
		form = scip.New(versionText())
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := p.singleRepo(ctx, w, f.repo, f.ref)
		if err != nil {
			return err
		}
		out, err := p.exportOutput(f.output)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		t, err := export.Write(ctx, r, f.request, form, out, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err = out.finish(err); err != nil {
			return err
		}
		fmt.Fprintln(p.stderr, render.Exported(t))
		return outcome(t.Left != "", t.Files > 0)
	})
}

// exportOutput is where an export goes: standard output, or a file that appears
// when it is whole.
type exportOutput struct {
	*bufio.Writer
	file    *os.File // written to beside its place; nil for standard output
	path    string
	started bool
}

func (p *program) exportOutput(path string) (*exportOutput, error) {
	if path == "-" {
		return &exportOutput{Writer: p.stdout}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &usage.Error{Msg: quote(path) + " is a folder", Hint: "name a file, such as --output " + quote(filepath.Join(path, "index.scip"))}
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, err
	}
	return &exportOutput{Writer: bufio.NewWriterSize(file, 1<<20), file: file, path: path}, nil
}

// Restart throws away what was written.
func (o *exportOutput) Restart() error {
	began := o.started
	o.started = true
	switch {
	case !began:
		return nil
	case o.file == nil:
		return errors.New("a part of the index is damaged and was made anew, but some of the export is written already: run it again")
	}
	o.Reset(o.file)
	if _, err := o.file.Seek(0, 0); err != nil {
		return err
	}
	return o.file.Truncate(0)
}

// finish puts the file in its place, unless err says that it is not whole.
func (o *exportOutput) finish(err error) error {
	if o.file == nil {
		return errors.Join(err, o.Flush())
	}
	if err == nil {
		err = errors.Join(o.Flush(), o.file.Chmod(0o644), o.file.Sync())
	}
	err = errors.Join(err, o.file.Close())
	if err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(o.file.Name()))
	}
	return err
}
