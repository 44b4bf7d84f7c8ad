package render

import (
	"fmt"
	"strings"

	"espy/internal/place"
	"espy/internal/queue"
)

// Jobs is a list of jobs, and how many there are of each state.
type Jobs struct {
	List   []*queue.Entry
	More   bool
	Counts queue.Counts
}

// Text writes a line for each job.
func (r Jobs) Text(o Options) string {
	var b strings.Builder
	b.WriteString("jobs: " + countsOf(r.Counts) + "\n")
	for _, e := range r.List {
		b.WriteString(jobLine(e, o))
	}
	if r.More {
		b.WriteString("there are more: a larger --limit lists them\n")
	}
	if r.Counts.Jobs[queue.Dead] > 0 {
		b.WriteString("next: " + o.call("jobs", arg{"state", string(queue.Dead)}) + "\n")
	}
	return b.String()
}

// countsOf writes how many jobs there are of each state.
func countsOf(c queue.Counts) string {
	var parts []string
	for _, s := range queue.States {
		if n := c.Jobs[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// jobLine describes a job.
func jobLine(e *queue.Entry, o Options) string {
	line := fmt.Sprintf("%d %s: %s", e.ID, e.State, place.Name(e.Place))
	if e.Ref != "" {
		line += " at " + place.Name(e.Ref)
	}
	if e.Attempt > 1 || e.State == queue.Retrying || e.State == queue.Dead {
		line += fmt.Sprintf(", attempt %d of %d", e.Attempt, e.Attempts)
	}
	if e.State == queue.Running {
		line += ", by " + place.Name(e.Worker)
	}
	if e.State == queue.Retrying && e.Next.After(o.Now) {
		line += ", again at " + e.Next.Format("15:04:05Z")
	}
	if e.Error != "" && e.State != queue.Done {
		line += ": " + place.Name(e.Error)
	}
	return line + "\n"
}

// JSON writes every field.
func (r Jobs) JSON(Options) []byte {
	list := r.List
	if list == nil {
		list = []*queue.Entry{}
	}
	return JSON(struct {
		Counts map[queue.State]int `json:"counts"`
		Oldest float64             `json:"oldest_waiting_seconds"`
		Jobs   []*queue.Entry      `json:"jobs"`
		More   bool                `json:"more"`
	}{r.Counts.Jobs, r.Counts.Oldest.Seconds(), list, r.More})
}

// Job is one that was cancelled or is done again.
type Job struct{ *queue.Entry }

// Text writes one line.
func (r Job) Text(o Options) string { return "job " + jobLine(r.Entry, o) }

// JSON writes every field.
func (r Job) JSON(Options) []byte { return JSON(r.Entry) }

// JobAdded is the answer to a request.
type JobAdded struct {
	ID         int64
	Added      bool // else it waited already
	Place, Ref string
}

// Text writes one line.
func (r JobAdded) Text(Options) string {
	if r.Added {
		return fmt.Sprintf("job %d: %s will be brought up to date\n", r.ID, place.Name(r.Place))
	}
	return fmt.Sprintf("job %d: %s waits already, and goes first now\n", r.ID, place.Name(r.Place))
}

// JSON writes every field.
func (r JobAdded) JSON(Options) []byte {
	return JSON(struct {
		ID    int64  `json:"id"`
		Added bool   `json:"added"`
		Place string `json:"place"`
		Ref   string `json:"ref"`
	}{r.ID, r.Added, r.Place, r.Ref})
}
