package clue

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/pattern"
	"espy/internal/ranked/message"
	"espy/internal/ranked/report"
)

// utterance is a line or a part of one that a program may have printed.
type utterance struct {
	text   string
	worth  float64 // of what it tells, at most 1
	quoted bool    // somebody put it in quotes
	log    bool    // it is a line that a program printed, or all that a query is
	alone  bool    // it is all that a query is
}

// Bounds of what is looked for as messages.
const (
	messageLines = 8  // lines of a text that are looked at,
	reportLines  = 24 // and of a report, with its sentences and what it quotes
	sentence     = 24 // words of a line from which on its sentences are looked at too
)

// What a line of a log is worth: an error is asked about, not what went well before.
const (
	errorWorth = 1.0
	otherWorth = 0.9
	infoWorth  = 0.25 // beside an error
	traced     = 0.4  // of the lines beside a trace, which tells where it was printed and who called
)

// utterances returns what a query may have of what programs print, of a report the
// most telling first.
func utterances(q *Query) (all []utterance) {
	trimmed := strings.TrimSpace(q.Text)
	if q.Report != nil {
		return reported(q.Report)
	}
	lines := slices.Collect(strings.Lines(trimmed))
	if !strings.Contains(trimmed, " ") || len(lines) > 1 && len(q.Words.Places) > 0 && slices.ContainsFunc(lines, report.IsFrame) {
		return nil
	}
	all = logged(lines)
	for i := range all {
		all[i].alone = len(lines) == 1
	}
	return all[:min(len(all), messageLines)]
}

// reported returns the utterances of a report.
func reported(r *report.Report) (all []utterance) {
	beside := 1.0
	if slices.ContainsFunc(r.Frames, func(f report.Frame) bool { return !f.Told }) {
		beside = traced
	}
	all = logged(slices.Collect(strings.Lines(r.Texts[report.Output])))
	for i := range all {
		all[i].worth *= beside
	}
	for _, f := range []report.Field{report.Title, report.Prose} {
		for line := range strings.Lines(r.Texts[f]) {
			if report.IsFrame(line) {
				continue
			}
			for _, m := range quoted().FindAllString(line, -1) {
				all = append(all, utterance{text: strings.Trim(m, "`\"'“”‘’"), worth: errorWorth, quoted: true})
			}
			all = append(all, utterance{text: line, worth: otherWorth, log: len(r.Diagnostics) > 0})
			if len(strings.Fields(line)) >= sentence {
				for s := range strings.SplitAfterSeq(line, ". ") {
					all = append(all, utterance{text: s, worth: otherWorth})
				}
			}
		}
	}
	for line := range strings.Lines(r.Texts[report.Code]) {
		if message.Logged(line) && !report.IsFrame(line) && !strings.ContainsAny(line, "=;{}") {
			all = append(all, utterance{text: line, worth: otherWorth, log: len(r.Diagnostics) > 0})
		}
	}
	slices.SortStableFunc(all, func(a, b utterance) int { return cmp.Compare(b.worth, a.worth) })
	return all[:min(len(all), reportLines)]
}

// logged returns the lines of a log without the frames of traces and what Python shows
// below those, of structured ones each field that says something. Where a line tells of an
// error, others tell less.
func logged(lines []string) (all []utterance) {
	failed := slices.ContainsFunc(lines, func(line string) bool { return levelOf(line) == errorWorth })
	framed := false
	for _, line := range lines {
		source := framed && strings.HasPrefix(line, "    ")
		if framed = report.IsFrame(line); framed || source {
			continue
		}
		u := utterance{text: line, worth: levelOf(line), log: true}
		if !failed {
			u.worth = errorWorth
		}
		texts := message.Fields(line)
		if texts == nil {
			texts = []string{line}
		}
		for _, u.text = range texts {
			all = append(all, u)
		}
	}
	return all
}

// quoted is a text in quotes of at least a few words.
var quoted = pattern.New("`[^`\n]* [^`\n]* [^`\n]*`|\"[^\"\n]* [^\"\n]* [^\"\n]*\"|“[^”\n]* [^”\n]* [^”\n]*”|‘[^’\n]* [^’\n]* [^’\n]*’")

// The level that a logger wrote.
var (
	failed   = pattern.New(`(?i)\b(?:error|err|fatal|panic|critical|severe|emerg|alert|exception|failed|failure)\b|^\W*[EF]\d{4}\b|Error\b|Exception\b`)
	informed = pattern.New(`(?i)\b(?:info|debug|trace|notice|verbose)\b|^\W*[ID]\d{4}\b`)
)

// levelBytes is within how many bytes of a line its level stands.
const levelBytes = 60

// levelOf returns what a line of a log is worth.
func levelOf(line string) float64 {
	head := line[:min(len(line), levelBytes)]
	switch {
	case failed().MatchString(head):
		return errorWorth
	case informed().MatchString(head):
		return infoWorth
	}
	return otherWorth
}
