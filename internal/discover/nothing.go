package discover

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"espy/internal/glob"
)

// A rule that leaves out most of the names in the root is named to the user: this
// part of them, where they are this many or no file is left at all.
const (
	mostlyParts = 10 // nine of ten
	mostlyNames = 10
)

// whyNothing says which rule of an ignore file leaves out nearly everything in the
// root, as one that stands for the files of somebody else does; "" where none does.
func (w *walker) whyNothing(l *Listing) string {
	var ignored []Exclusion
	for _, x := range l.Excluded {
		if x.Reason == ReasonIgnored && !strings.Contains(x.Path, "/") {
			ignored = append(ignored, x)
		}
	}
	kept := 0
	for i, last := 0, ""; i < len(l.Entries); i++ {
		if name, _, _ := strings.Cut(l.Entries[i].Path, "/"); name != last {
			kept, last = kept+1, name
		}
	}
	if len(ignored) == 0 || kept*mostlyParts > len(ignored)+kept || len(l.Entries) > 0 && len(ignored) < mostlyNames {
		return ""
	}
	counts := map[ruleLine]int{}
	var most ruleLine
	rules := w.ruleLines()
	for _, x := range ignored[:min(len(ignored), maxAttributed)] {
		for _, r := range rules {
			if v := r.rules.Match(x.Path, x.Path, x.Dir); v != glob.Undecided {
				if counts[r.ruleLine]++; v == glob.Ignored && counts[r.ruleLine] > counts[most] {
					most = r.ruleLine
				}
				break
			}
		}
	}
	if counts[most]*mostlyParts < min(len(ignored), maxAttributed)*(mostlyParts-1) {
		return ""
	}
	files := "hardly any file is indexed"
	if len(l.Entries) == 0 {
		files = "no file is indexed"
	}
	help := fmt.Sprintf("a line %q in %s lets them in", "!"+most.text, espyignoreName)
	if most.file != espyignoreName {
		help += ", and so does the setting use_gitignore=false"
	}
	return fmt.Sprintf("%s: %d of %d files and folders in the root are left out by line %d of %s, %q; %s", files, len(ignored), len(ignored)+kept, most.line, most.file, most.text, help)
}

// maxAttributed is how many names in the root are looked up in the ignore files.
const maxAttributed = 200

// ruleLine is a line of an ignore file.
type ruleLine struct {
	file string
	line int // from 1
	text string
}

// lineRules are the rules of a line.
type lineRules struct {
	ruleLine
	rules *glob.Rules
}

// ruleLines are the lines of the ignore files in the root, the strongest first.
func (w *walker) ruleLines() (all []lineRules) {
	d, err := w.tree.openParent("")
	if err != nil {
		return nil
	}
	defer d.close()
	names := slices.Clone(w.ignorer.files)
	slices.Reverse(names)
	for _, name := range names {
		text, err := readSmall(d, name)
		if err != nil {
			continue
		}
		lines := bytes.Split(text, []byte("\n"))
		for i, line := range slices.Backward(lines) {
			if rs := glob.ParseRules(line); rs != nil {
				all = append(all, lineRules{ruleLine{name, i + 1, strings.TrimSpace(string(line))}, rs})
			}
		}
	}
	return all
}
