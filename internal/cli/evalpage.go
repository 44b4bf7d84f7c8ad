package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"espy/internal/eval/concepts"
	"espy/internal/eval/history"
	"espy/internal/eval/issues"
	"espy/internal/eval/kconfig"
	"espy/internal/eval/messages"
	"espy/internal/eval/misplaced"
	"espy/internal/eval/pace"
)

// byHand is the line of a page behind which reports leave what was written by hand.
const byHand = "<!-- by hand -->\n"

// writeFile writes what write writes to a file, and what was written there by hand.
func writeFile(name string, write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if i := bytes.Index(old, []byte(byHand)); i >= 0 {
		b.WriteByte('\n')
		b.Write(old[i:])
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// ofOthers are the sections of the page on quality that commands of their own write, in
// their order.
var ofOthers = []string{issues.Title, messages.Title, misplaced.Title, history.Title, concepts.Title, kconfig.Title, pace.Title}

// writeSection replaces a section of a page, or puts it before those that stand behind it
// in ofOthers, else at the end.
func writeSection(name, title, text string) error {
	page, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, section, after := cutSection(string(page), title)
	if at := slices.Index(ofOthers, title); section == "" && at >= 0 {
		for _, next := range ofOthers[at+1:] {
			if first, found, rest := cutSection(string(page), next); found != "" {
				before, after = first, found+rest
				break
			}
		}
	}
	if after != "" {
		after = "\n" + after
	}
	if before != "" {
		before = strings.TrimRight(before, "\n") + "\n\n"
	}
	return os.WriteFile(name, []byte(before+"## "+title+"\n\n"+strings.TrimRight(text, "\n")+"\n"+after), 0o644)
}

// cutSection cuts a page round a section, which begins with its heading and is empty
// where the page has none.
func cutSection(page, title string) (before, section, after string) {
	head := "## " + title + "\n"
	from := strings.Index("\n"+page, "\n"+head)
	if from < 0 {
		from = len(page)
		if i := strings.Index(page, byHand); i >= 0 {
			from = i
		}
		return page[:from], "", page[from:]
	}
	to := len(page)
	for _, next := range []string{"\n## ", "\n" + byHand} {
		if i := strings.Index(page[from+len(head):], next); i >= 0 {
			to = min(to, from+len(head)+i+1)
		}
	}
	return page[:from], page[from:to], page[to:]
}
