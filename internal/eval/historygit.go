package eval

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Bounds of what is read of a repository.
const (
	maxChanges  = 6000    // commits
	maxFileSize = 1 << 20 // bytes of a file that is laid out
)

// command is a git command that reads the repository and no configuration of
// this machine, and that fetches nothing.
func (h *History) command(ctx context.Context, args ...string) *exec.Cmd {
	return command(ctx, append([]string{"--git-dir=" + h.GitDir}, args...)...)
}

func command(ctx context.Context, args ...string) *exec.Cmd {
	fixed := []string{"--no-replace-objects", "-c", "core.quotePath=false", "-c", "protocol.allow=never", "-c", "protocol.file.allow=always"}
	cmd := exec.CommandContext(ctx, "git", append(fixed, args...)...)
	cmd.Env = []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	}
	return cmd
}

// git runs a command and returns what it prints.
func (h *History) git(ctx context.Context, args ...string) ([]byte, error) {
	out, err := output(h.command(ctx, args...))
	if err != nil {
		return nil, fmt.Errorf("git %s in %s: %w", args[0], h.GitDir, err)
	}
	return out, nil
}

// output runs a command and returns what it prints.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// blob is one regular file of a tree.
type blob struct{ id, path string }

// blobs lists the regular files of a commit's tree.
func (h *History) blobs(ctx context.Context, commit string) ([]blob, error) {
	out, err := h.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	var all []blob
	for record := range strings.SplitSeq(string(out), "\x00") {
		meta, path, ok := strings.Cut(record, "\t")
		if !ok {
			continue
		}
		f := strings.Fields(meta)
		if len(f) == 3 && (f[0] == "100644" || f[0] == "100755") {
			all = append(all, blob{id: f[2], path: path})
		}
	}
	return all, nil
}

func (h *History) paths(ctx context.Context, commit string) (map[string]bool, error) {
	all, err := h.blobs(ctx, commit)
	paths := make(map[string]bool, len(all))
	for _, b := range all {
		paths[b.path] = true
	}
	return paths, err
}

// LayOut writes the regular files of a commit up to 1 MiB into the folder Tree,
// which must not exist, with a git folder in which that commit is checked out, and
// returns how many files there are.
func (h *History) LayOut(ctx context.Context, commit string) (files int, err error) {
	if !isCommit(commit) {
		return 0, fmt.Errorf("history: %q is not the whole id of a commit", commit)
	}
	all, err := h.blobs(ctx, commit)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(h.Tree), 0o755); err != nil {
		return 0, err
	}
	if err := os.Mkdir(h.Tree, 0o755); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(h.Tree)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	if files, err = h.extract(ctx, root, all); err != nil {
		return files, err
	}
	return files, h.remember(ctx, commit)
}

// remember gives the tree a git folder of its own, up to the commit.
func (h *History) remember(ctx context.Context, commit string) error {
	dir := filepath.Join(h.Tree, ".git")
	for _, args := range [][]string{
		{"clone", "--quiet", "--bare", "--local", "--template=", "--", h.GitDir, dir},
		{"--git-dir=" + dir, "config", "core.bare", "false"},
		{"--git-dir=" + dir, "update-ref", "--no-deref", "HEAD", commit},
		{"--git-dir=" + dir, "read-tree", commit},
	} {
		if _, err := output(command(ctx, args...)); err != nil {
			return fmt.Errorf("git %s for %s: %w", strings.Join(args, " "), h.Tree, err)
		}
	}
	return nil
}

// extract has one git process print the files and writes them below root.
func (h *History) extract(ctx context.Context, root *os.Root, all []blob) (files int, err error) {
	var ids strings.Builder
	for _, b := range all {
		ids.WriteString(b.id + "\n")
	}
	cmd := h.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("git cat-file in %s: %w", h.GitDir, err)
	}
	r := bufio.NewReaderSize(out, 1<<16)
	for _, b := range all {
		var written bool
		if written, err = writeBlob(root, b.path, r); err != nil {
			err = fmt.Errorf("lay out %s: %w", b.path, err)
			break
		}
		if written {
			files++
		}
	}
	if err != nil {
		cmd.Process.Kill()
	}
	if waitErr := cmd.Wait(); err == nil {
		err = waitErr
	}
	return files, err
}

// writeBlob copies the next object that git prints into a file; one that is
// missing or too large is left out.
func writeBlob(root *os.Root, path string, r *bufio.Reader) (bool, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return false, err
	}
	f := strings.Fields(head)
	if len(f) == 2 && f[1] == "missing" {
		return false, nil
	}
	if len(f) != 3 {
		return false, fmt.Errorf("git answers %q", head)
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return false, err
	}
	if size > maxFileSize {
		_, err := io.CopyN(io.Discard, r, size+1)
		return false, err
	}
	text := make([]byte, size+1) // and the line break after it
	if _, err := io.ReadFull(r, text); err != nil {
		return false, err
	}
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	return true, root.WriteFile(path, text[:size], 0o644)
}
