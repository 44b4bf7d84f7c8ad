package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/files"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/indexed"

	"github.com/spf13/cobra"
)

func (p *program) readCommand() *cobra.Command {
	repoRef, ref, scope := "", "", ""
	cmd := &cobra.Command{
		Use:   "read PATH[:FIRST[-LAST]]",
		Short: "Print a file, or lines of it, as it is now",
		Long: `Prints a file of a repository with line numbers. PATH is relative to the working
directory or, if there is no such file, to the root of the repository, as answers
print it. An absolute path must be inside an attached repository. Secrets, binary
files and links are refused. --ref prints the file of a branch, tag or commit.
PATH#SYMBOL, the id of a symbol, is its lines. PATH:LINE:COLUMN and PATH#L10-L20 work
too, and so does the address of a file on a site that hosts repositories: the file is
read as it is here. deps/ECOSYSTEM/NAME@VERSION/PATH is a file of a package (espy deps);
with --scope deps, a path as imports write it is, too.`,
		Example: `  espy read internal/cli/cli.go
  espy read internal/cli/cli.go:10-40
  espy read main.go:100- --repo api
  espy read main.go --ref v1.2`,
		Args: exactly("a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.read(cmd.Context(), args[0], reading{repoRef, ref, scope})
		},
	}
	cmd.Flags().StringVarP(&repoRef, "repo", "r", "", "`repository` by name, path or UUID; PATH is relative to its root")
	p.refFlag(cmd, &ref)
	scopeFlag(cmd, &scope)
	cmd.Flags().Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	bindSetting(cmd.Flags(), "max-tokens", "max_tokens")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
	return cmd
}

// reading says where a file is read: in which repository, at which commit, and whether in
// the packages that the repository uses.
type reading struct{ repo, ref, scope string }

func (p *program) read(ctx context.Context, arg string, in reading) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		arg, err := p.enter(ctx, w, &in, arg)
		if err != nil {
			return err
		}
		repoRef, ref := in.repo, in.ref
		at, err := p.readPlace(ctx, w, arg, repoRef)
		if err != nil {
			return err
		}
		if repoRef == "" && strings.HasPrefix(at.repo.Name(), code.PackagePrefix) {
			repoRef = at.repo.Name()
		}
		if at.repo, err = at.repo.At(ctx, ref); err != nil {
			return err
		}
		near := p.near(ctx, at.repo)
		defer near() // also where the file cannot be read
		fresh := at.repo.FreshnessAsIs()
		content, err := at.repo.Read(ctx, at.path)
		if below, ok := p.belowHere(at); ok && repoRef == "" && errors.Is(err, fs.ErrNotExist) {
			at = below
			content, err = at.repo.Read(ctx, at.path)
		}
		if strings.Contains(at.path, "#") && errors.Is(err, fs.ErrNotExist) {
			if at, err = p.named(ctx, w, at, arg, repoRef); err != nil {
				return err
			}
			fresh = at.repo.FreshnessAsIs() // the question may have indexed the folder
			content, err = at.repo.Read(ctx, at.path)
		}
		if err != nil {
			return unreadable(ctx, at, err, render.Options{Repo: repoRef, Ref: ref})
		}
		f := &render.File{Repo: at.repo.Name(), Path: content.Entry.Path, Content: content.Text, Start: at.first, End: at.last, Freshness: fresh}
		o := p.renderOptions()
		o.Repo, o.Ref, o.Tasks, o.Here = repoRef, ref, near(), p.standsIn(at.repo, repoRef).folder
		return p.list(f, render.Form{}, o)
	})
}

// named finds the lines of a symbol that an argument is the id of, and where nothing is
// called so those that PATH#L10-L20 names.
func (p *program) named(ctx context.Context, w *workspace.Workspace, at location, arg, repoRef string) (location, error) {
	var err error
	if at.path, err = p.standsIn(at.repo, repoRef).id(at.path); err != nil {
		return at, err
	}
	of, err := at.symbol(ctx)
	lines, ok := place.Anchored(arg)
	if err == nil || !ok {
		return of, err
	}
	of, err = p.readPlace(ctx, w, lines.String(), repoRef)
	of.repo = at.repo // at the commit that is asked
	return of, err
}

// enter goes into the package that a path is of, where packages are asked, and returns
// the path in it.
func (p *program) enter(ctx context.Context, w *workspace.Workspace, in *reading, arg string) (string, error) {
	if in.scope == "" {
		return arg, nil
	}
	r, err := p.singleRepo(ctx, w, in.repo, "")
	if err != nil {
		return "", err
	}
	q := deps.Question{Library: deps.LibraryOf(w), Repos: []*workspace.Repo{r}, Scope: code.Scope(in.scope)}
	found, rest, err := q.At(ctx, place.ParseName(arg))
	if err == nil && found != r {
		in.repo = found.Name()
	}
	return rest, err
}

// symbol makes the id of a symbol the file and the lines of its declaration.
func (at location) symbol(ctx context.Context) (location, error) {
	found, _, err := at.repo.Symbols(ctx, nav.SymbolRequest{Target: locate.Target{Name: at.path}, Limit: 1}, workspace.Wait{})
	if err != nil {
		return at, err
	}
	if len(found.Definitions) == 0 {
		return at, &usage.Error{Msg: quote(at.path) + " names no file and no symbol", Hint: "espy files lists the files, espy outline FILE the symbols of one"}
	}
	d := &found.Definitions[0]
	at.path, at.first, at.last = d.Path, d.Line, d.EndLine
	return at, nil
}

// unreadable says why a file cannot be read, and which are like one that does not
// exist.
func unreadable(ctx context.Context, at location, err error, o render.Options) error {
	switch {
	case errors.Is(err, indexed.ErrFolder):
		return &usage.Error{Msg: place.Name(at.path) + " is a folder", Hint: o.PathCall("files", at.path) + " lists it, " + o.PathCall("outline", at.path) + " what its files declare"}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return files.Missing(ctx, at.repo, at.path, files.Calls{List: "espy files", Excluded: "espy files --excluded", Symbol: "espy symbol %s --body"})
}

// location is a file of a repository and lines of it; 0 is the first and the last
// line.
type location struct {
	repo        *workspace.Repo
	path        string // relative to the root, with slashes
	first, last int
}

// readPlace finds the file of an argument. If a file of the whole name exists, the
// argument has no range.
func (p *program) readPlace(ctx context.Context, w *workspace.Workspace, arg, repoRef string) (location, error) {
	if linked := place.Unlink(arg); linked != arg { // relative to the root, as sites have it
		r, err := p.singleRepo(ctx, w, repoRef, "")
		of, _ := place.Parse(linked)
		return location{r, of.Path, of.First, of.Last}, err
	}
	arg = place.ParseName(arg)
	at, err := p.locateFile(ctx, w, arg, repoRef)
	if err == nil && exists(at) {
		return at, nil
	}
	lines, ok := place.Parse(arg)
	if !ok || lines.Path == "" {
		return at, err
	}
	if lines.First < 1 || lines.Last != 0 && lines.Last < lines.First {
		return at, &usage.Error{Msg: "bad line range in " + quote(arg), Hint: "write PATH:FIRST-LAST, with FIRST at least 1 and LAST at least FIRST"}
	}
	at, err = p.locateFile(ctx, w, lines.Path, repoRef)
	at.first, at.last = lines.First, lines.Last
	return at, err
}

// belowHere reads the path as relative to the working directory: a commit may have
// a file there that the work tree does not have.
func (p *program) belowHere(at location) (location, bool) {
	dir, err := p.workingDir()
	if err != nil || at.repo.Ref() == "" {
		return at, false
	}
	rel, err := filepath.Rel(at.repo.Root(), filepath.Join(dir, at.path))
	if err != nil || !filepath.IsLocal(rel) || filepath.ToSlash(rel) == at.path {
		return at, false
	}
	at.path = filepath.ToSlash(rel)
	return at, true
}

func exists(at location) bool {
	if at.repo.Root() == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(at.repo.Root(), filepath.FromSlash(at.path)))
	return err == nil
}

// locateFile finds the repository of a path, and the path in it: relative to the
// working directory if that exists, or else to the root.
func (p *program) locateFile(ctx context.Context, w *workspace.Workspace, path, repoRef string) (location, error) {
	if repoRef != "" {
		r, err := p.repo(ctx, w, repoRef)
		return location{repo: r, path: filepath.ToSlash(filepath.Clean(path))}, err
	}
	var missing *catalog.NotFoundError
	if filepath.IsAbs(path) {
		at, err := below(ctx, w, path)
		if errors.As(err, &missing) {
			return at, &usage.Error{Msg: path + " is outside every attached repository", Hint: "espy index PATH attaches the repository of a folder"}
		}
		return at, err
	}
	abs, err := filepath.Abs(p.path(path))
	if err != nil {
		return location{}, err
	}
	if _, err := os.Lstat(abs); err == nil {
		at, err := below(ctx, w, abs)
		if err == nil || !errors.As(err, &missing) {
			return at, err
		}
	}
	if ref, rest, ok := deps.CutRef(path); ok {
		r, err := p.repo(ctx, w, ref)
		return location{repo: r, path: filepath.ToSlash(filepath.Clean(rest))}, err
	}
	r, err := p.here(ctx, w)
	if err != nil {
		return location{}, err
	}
	if at, err := below(ctx, w, abs); err == nil && at.repo.ID() == r.ID() && exists(at) {
		return at, nil
	}
	return location{repo: r, path: filepath.ToSlash(filepath.Clean(path))}, nil // as an answer printed it
}

// below finds the attached repository of an absolute path. Links in the folder of
// the path are resolved; the last element is not, since links are refused later.
func below(ctx context.Context, w *workspace.Workspace, abs string) (location, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return location{}, fmt.Errorf("read %s: %w", abs, errors.Unwrap(err))
	}
	r, err := w.Find(ctx, dir)
	if err != nil {
		return location{}, err
	}
	rel, ok := code.Below(r.Root(), filepath.Join(dir, filepath.Base(abs)))
	if !ok {
		return location{}, fmt.Errorf("read %s: %w", abs, fs.ErrNotExist)
	}
	return location{repo: r, path: rel}, nil
}
