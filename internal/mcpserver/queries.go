package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/seen"
	"espy/internal/usage"
)

// queriesParams let a call ask several questions, which share its other arguments
// and its bound.
type queriesParams struct {
	Queries []string `json:"queries,omitempty"`
}

// maxQueries bounds the questions of a call.
const maxQueries = 16

// several is a call that asks several questions.
type several struct {
	call  *call
	arg   string   // that a question stands in when it is asked alone
	alone string   // what was given for it
	list  []string // the questions
	form  formParams
	seen  *seen.Lines // nil where no token is wanted
}

// missing refuses a call that asks nothing.
func (c *call) missing(arg string) error {
	if c.Args[arg] != nil {
		return nil
	}
	return &usage.Error{Msg: fmt.Sprintf("%s needs the argument %s", c.Tool, arg), Hint: fmt.Sprintf(`pass {%q: "..."}, or several as queries`, arg)}
}

// check refuses what cannot be asked.
func (q *several) check() error {
	switch {
	case q.alone != "":
		return &usage.Error{Msg: fmt.Sprintf("both %s and queries are given", q.arg), Hint: "give only one of them"}
	case len(q.list) > maxQueries:
		return &usage.Error{Msg: fmt.Sprintf("%d queries are more than the limit of %d", len(q.list), maxQueries), Hint: "ask the rest in another call"}
	case q.call.Args["cursor"] != nil:
		return &usage.Error{Msg: "cursor belongs to one question", Hint: fmt.Sprintf("give that question as %s, with its cursor", q.arg)}
	case q.form.MaxTokens.bound() < len(q.list)*minTokens+q.reserved():
		return &usage.Error{
			Msg:  fmt.Sprintf("max_tokens=%d is too small for %d queries", q.form.MaxTokens.bound(), len(q.list)),
			Hint: fmt.Sprintf("give at least %d, or fewer queries", len(q.list)*minTokens+q.reserved()),
		}
	}
	return nil
}

// reserved is what a call leaves for its token, and for what joins its answers.
func (q *several) reserved() int {
	const joints = 12
	if q.seen == nil {
		return joints
	}
	return joints + code.Tokens(seen.MaxToken) + joints
}

// answered is the answer to one question of several, or why there is none.
type answered struct {
	text string
	err  error
}

// ask asks the questions one after the other. Each may have an even share of what
// is left of the bound. A question that fails is answered by its error.
func (q *several) ask(ctx context.Context, one func(sub *call, question string, form formParams) (string, error)) (string, error) {
	if err := q.check(); err != nil {
		return "", err
	}
	left := q.form.MaxTokens.bound() - q.reserved()
	all := make([]answered, len(q.list))
	failed := 0
	for i, question := range q.list {
		head := code.Tokens(len(q.heading(i)) + 4)
		share := left / (len(q.list) - i)
		form := q.form
		form.MaxTokens = tokens(max(share-head, minTokens/2))
		a := &all[i]
		if a.err = ctx.Err(); a.err == nil {
			a.text, a.err = one(q.sub(question), question, form)
		} else {
			a.err = &usage.Error{Msg: "the time of the call was over", Hint: "ask it in another call"}
		}
		if a.err != nil {
			failed++
			a.text = q.refusal(a.err)
		}
		a.text = q.cut(a.text, share-head)
		left -= head + code.Tokens(len(a.text))
	}
	if failed == len(all) {
		msg, hint := host.Explain(all[0].err)
		return "", &usage.Error{Msg: fmt.Sprintf("none of the %d queries could be answered; the first: %s", len(all), msg), Hint: hint}
	}
	return q.joined(all), nil
}

// sub is the call that asks one of the questions alone.
func (q *several) sub(question string) *call {
	c := *q.call
	c.Args = maps.Clone(c.Args)
	delete(c.Args, "queries")
	text, err := json.Marshal(question)
	if err != nil {
		panic(fmt.Errorf("mcpserver: encode a question: %w", err))
	}
	c.Args[q.arg] = text
	return &c
}

// heading is the line before the answer to a question.
func (q *several) heading(i int) string {
	return fmt.Sprintf("## %d of %d: %s=%s\n", i+1, len(q.list), q.arg, quoted(q.list[i]))
}

// maxHeading bounds the bytes of a question in its heading.
const maxHeading = 120

func quoted(text string) string { return render.Clean(strconv.Quote(usage.Shorten(text, maxHeading))) }

// refusal is the error of a question as its answer.
func (q *several) refusal(err error) string {
	msg, hint := host.Explain(err)
	if q.form.Format == formJSON {
		v := map[string]string{"error": msg}
		if hint != "" {
			v["hint"] = hint
		}
		return string(render.JSON(v))
	}
	text := "error: " + render.Clean(msg) + "\n"
	if hint != "" {
		text += "hint: " + render.Clean(hint) + "\n"
	}
	return text
}

// cut holds an answer to its share.
func (q *several) cut(text string, share int) string {
	bound := share * 4
	switch {
	case len(text) <= bound:
		return text
	case q.form.Format == formJSON:
		return string(render.JSON(map[string]string{"error": "the answer is larger than its share of max_tokens"}))
	}
	end := strings.LastIndexByte(text[:max(bound, 0)], '\n')
	return text[:end+1]
}

// joined writes the answers in the order of the questions.
func (q *several) joined(all []answered) string {
	token := ""
	if q.seen != nil {
		token, _ = q.seen.Token()
	}
	if q.form.Format == formJSON {
		v := struct {
			Answers []json.RawMessage `json:"answers"`
			Seen    string            `json:"seen,omitempty"`
		}{Seen: token}
		for _, a := range all {
			v.Answers = append(v.Answers, json.RawMessage(a.text))
		}
		return string(render.JSON(v))
	}
	var b strings.Builder
	for i, a := range all {
		b.WriteString(q.heading(i) + a.text)
	}
	if token != "" {
		b.WriteString("seen: " + token + "\n")
	}
	return b.String()
}
