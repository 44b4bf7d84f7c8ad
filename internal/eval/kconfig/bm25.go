package kconfig

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/token"

	_ "modernc.org/sqlite" // the driver, with FTS5
)

// bm25 is a table of SQLite's FTS5 over whole files, with the stemmer of Porter: what
// people have who index a tree by a database. Identifiers are split as camelCase is;
// underscores separate words as they are. The table is in a temporary folder.
// (https://www.sqlite.org/fts5.html)
type bm25 struct {
	dir   string
	db    *sql.DB
	paths []string // of the rows, from 1 on
}

const (
	fts5Layout = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE VIRTUAL TABLE file USING fts5(path, text, content = '', tokenize = 'porter unicode61');`
	fts5Insert = `INSERT INTO file(rowid, path, text) VALUES (?, ?, ?)`
	fts5Best   = `SELECT rowid FROM file WHERE file MATCH ? ORDER BY bm25(file, 5, 1), rowid LIMIT ?` // the path weighs five
)

// newBM25 fills the table with the C files of a snapshot, in the order of their paths.
func newBM25(ctx context.Context, o *Options, snap *store.Snapshot) (b *bm25, err error) {
	b = &bm25{}
	if b.paths, err = sources(snap); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "espy-bm25-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	file := url.URL{Path: filepath.ToSlash(filepath.Join(b.dir, "files.db"))}
	if b.db, err = sql.Open("sqlite", "file:"+file.EscapedPath()); err != nil {
		return b, err
	}
	b.db.SetMaxOpenConns(1) // the pragmas are of a connection
	if _, err := b.db.ExecContext(ctx, fts5Layout); err != nil {
		return b, err
	}
	return b, b.fill(ctx, o)
}

// sources returns the paths of the C files of a snapshot.
func sources(snap *store.Snapshot) (paths []string, err error) {
	err = segment.Guard(func() error {
		snap.Each(func(seg, file int) bool {
			if s := snap.Segments[seg]; s.Language(file) == language {
				paths = append(paths, s.Path(file))
			}
			return true
		})
		return nil
	})
	slices.Sort(paths)
	return paths, err
}

// fill writes the rows of all files.
func (b *bm25) fill(ctx context.Context, o *Options) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, fts5Insert)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i, path := range b.paths {
		if i%1000 == 0 {
			o.Progress("fill the table of BM25", i, len(b.paths))
		}
		text, err := os.ReadFile(filepath.Join(o.Tree, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, i+1, split(path), split(string(text))); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return tx.Commit()
}

// ask returns the n best files that have a word of a text.
func (b *bm25) ask(ctx context.Context, text string, n int) (paths []string, err error) {
	var words []string
	for _, w := range token.Split(split(text)) {
		words = append(words, `"`+w+`"`)
	}
	if len(words) == 0 {
		return nil, nil
	}
	rows, err := b.db.QueryContext(ctx, fts5Best, strings.Join(words, " OR "), n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row int
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		paths = append(paths, b.paths[row-1])
	}
	return paths, rows.Err()
}

// split puts a space before each capital that follows a small letter or a digit.
func split(text string) string {
	var out strings.Builder
	from := 0
	for i := 1; i < len(text); i++ {
		last := text[i-1]
		if c := text[i]; 'A' <= c && c <= 'Z' && ('a' <= last && last <= 'z' || '0' <= last && last <= '9') {
			out.WriteString(text[from:i])
			out.WriteByte(' ')
			from = i
		}
	}
	out.WriteString(text[from:])
	return out.String()
}

// close removes the table.
func (b *bm25) close() error {
	var err error
	if b.db != nil {
		err = b.db.Close()
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
