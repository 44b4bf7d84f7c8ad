package codebase

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"espy/internal/tasks"
)

// clock goes on by a second each time it is read.
func clock() func() time.Time {
	now := time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	return func() time.Time { now = now.Add(time.Second); return now }
}

type taskList struct {
	Tasks []task `json:"tasks"`
	Total int    `json:"total_count"`
}

var commitA, commitB = strings.Repeat("a", 40), strings.Repeat("0123456789", 4)

func TestTaskShape(t *testing.T) {
	sheet.Proves(t, "task.shape task.extra task.times task.types create.new get.task get.forms flow.shared")
	c := newClient(t, setup{now: clock()})
	text := c.Call("create_task", object{"title": "Cap the backoff", "planning_references": []string{"specs/retry/spec.md", "a/Plan.md", "contracts/api.yaml", "data-model.md", "quickstart.md", "notes.txt"}})
	want := regexp.MustCompile(`^\{"id":"[0-9a-f-]{36}","title":"Cap the backoff","description":null,"notes":null,"status":"need to be done","created_at":"2026-03-01T11:00:\d\dZ","updated_at":"2026-03-01T11:00:\d\dZ","branch":null,"commit":null,"planning_references":\["specs/retry/spec.md","a/Plan.md","contracts/api.yaml","data-model.md","quickstart.md","notes.txt"\],"branches":\[\],"commits":\[\],"status_history":\[\{"from_status":null,"to_status":"need to be done","changed_at":"2026-03-01T11:00:\d\dZ"\}\],"planning_reference_types":\["spec","plan","other","design","design","other"\]\}$`)
	if !want.MatchString(text) {
		t.Errorf("%s", text)
	}
	id := into[task](c, "create_task", object{"title": "empty"}).ID
	for _, form := range []string{id, strings.ToUpper(id), "{" + id + "}", strings.ReplaceAll(id, "-", "")} {
		t.Run(form, func(t *testing.T) {
			got := c.on(t).Call("get_task", object{"task_id": form})
			if !strings.Contains(got, `"title":"empty"`) || !strings.Contains(got, `"planning_references":[],`) {
				t.Errorf("%s", got)
			}
		})
	}
	if own, err := c.book.Task(t.Context(), id); err != nil || own.Title != "empty" {
		t.Errorf("espy task shows %v, %v", own, err)
	}
}

// TestImported answers with a task of the original as the original did.
func TestImported(t *testing.T) {
	sheet.Proves(t, "flow.imported")
	c := newClient(t, setup{now: clock()})
	at := time.Date(2025, 10, 6, 10, 0, 0, 0, time.UTC)
	id := "550e8400-e29b-41d4-a716-446655440000"
	_, err := c.book.Import(t.Context(), tasks.Task{
		ID: id, Title: "Cap the backoff", Status: tasks.Complete, Planning: []string{"specs/retry/spec.md"}, Branches: []string{"a", "b"}, Commits: []string{strings.Repeat("ab", 20)},
		Created: at, Updated: at.Add(time.Hour), History: []tasks.Change{{To: tasks.Needed, At: at}, {From: tasks.Needed, To: tasks.Complete, At: at.Add(time.Hour)}},
	}, tasks.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text := c.Call("get_task", object{"task_id": id})
	for _, want := range []string{
		`"id":"` + id + `"`, `"status":"complete","created_at":"2025-10-06T10:00:00Z","updated_at":"2025-10-06T11:00:00Z","branch":"b"`,
		`"status_history":[{"from_status":null,"to_status":"need to be done","changed_at":"2025-10-06T10:00:00Z"},{"from_status":"need to be done","to_status":"complete","changed_at":"2025-10-06T11:00:00Z"}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
}

func TestTaskErrors(t *testing.T) {
	sheet.Proves(t, "get.task get.none list.status list.branch list.limit create.title create.texts create.planning update.status update.branch update.commit update.none")
	c := newClient(t, setup{now: clock()})
	id := into[task](c, "create_task", object{"title": "t"}).ID
	none := "550e8400-e29b-41d4-a716-446655440000"
	long := func(n int) string { return strings.Repeat("é", n) }
	many := func(n int) []string { return strings.Split(strings.Repeat("a,", n-1)+"a", ",") }
	missing := failed{-32000, "Task not found", "Task not found: " + none}
	for _, tt := range []struct {
		tool string
		args object
		want failed // none where it must succeed
	}{
		{"get_task", object{}, badly("task_id: Field required")},
		{"get_task", object{"task_id": "7"}, badly("Invalid task_id format: 7")},
		{"get_task", object{"task_id": none}, missing},
		{"list_tasks", object{"status": "done"}, badly("Invalid status: done. Valid values: ['need to be done', 'in-progress', 'complete']")},
		{"list_tasks", object{"branch": long(200)}, failed{}},
		{"list_tasks", object{"branch": long(201)}, badly("Branch name too long (max 200 characters): 201")},
		{"list_tasks", object{"limit": 1}, failed{}},
		{"list_tasks", object{"limit": 100}, failed{}},
		{"list_tasks", object{"limit": 0}, badly("Limit must be between 1 and 100, got 0")},
		{"list_tasks", object{"limit": 101}, badly("Limit must be between 1 and 100, got 101")},
		{"create_task", object{}, badly("title: Field required")},
		{"create_task", object{"title": ""}, badly("Task title cannot be empty")},
		{"create_task", object{"title": "  "}, badly("Task title cannot be empty")},
		{"create_task", object{"title": long(200)}, failed{}},
		{"create_task", object{"title": long(201)}, badly("Task title too long (max 200 characters): 201")},
		{"create_task", object{"title": "t", "description": long(2000), "notes": long(5000)}, failed{}},
		{"create_task", object{"title": "t", "description": long(2001)}, badly("Task description too long (max 2000 characters): 2001")},
		{"create_task", object{"title": "t", "notes": long(5001)}, badly("Task notes too long (max 5000 characters): 5001")},
		{"create_task", object{"title": "t", "planning_references": many(10)}, failed{}},
		{"create_task", object{"title": "t", "planning_references": []string{long(500)}}, failed{}},
		{"create_task", object{"title": "t", "planning_references": strings.Split("a,b,c,d,e,f,g,h,i,j,k", ",")}, badly("Too many planning references (max 10): 11")},
		{"create_task", object{"title": "t", "planning_references": []string{long(501)}}, badly("Planning reference too long (max 500 characters): 501")},
		{"create_task", object{"title": "t", "planning_references": "spec.md"}, badly("planning_references must be an array of strings")},
		{"create_task", object{"title": "t", "planning_references": []int{1}}, badly("planning_references must be an array of strings")},
		{"create_task", object{"title": "t", "status": "complete"}, badly("Unexpected argument: status")},
		{"update_task", object{"title": "t"}, badly("task_id: Field required")},
		{"update_task", object{"task_id": "x"}, badly("Invalid task_id format: x")},
		{"update_task", object{"task_id": none, "title": "t"}, missing},
		{"update_task", object{"task_id": id, "title": ""}, badly("Task title cannot be empty")},
		{"update_task", object{"task_id": id, "title": long(201)}, badly("Task title too long")},
		{"update_task", object{"task_id": id, "status": "completed"}, badly("Invalid status: completed.")},
		{"update_task", object{"task_id": id, "branch": long(200)}, failed{}},
		{"update_task", object{"task_id": id, "branch": long(201)}, badly("Branch name too long")},
		{"update_task", object{"task_id": id, "commit": commitA[:39]}, badly("Invalid commit hash: " + commitA[:39])},
		{"update_task", object{"task_id": id, "commit": strings.ToUpper(commitA)}, badly("Invalid commit hash: ")},
		{"update_task", object{"task_id": id, "commit": "abc123..."}, badly("Invalid commit hash: abc123...")},
		{"update_task", object{"task_id": id, "notes": nil}, badly("notes must be a string")},
	} {
		t.Run(fmt.Sprintf("%s %.60v", tt.tool, tt.args), func(t *testing.T) {
			if tt.want == (failed{}) {
				c.on(t).Call(tt.tool, tt.args)
				return
			}
			c.on(t).fails(tt.tool, tt.args, tt.want)
		})
	}
}

// TestLifecycle takes a task from its creation to its end.
func TestLifecycle(t *testing.T) {
	sheet.Proves(t, "flow.life update.fields update.texts update.history update.branch update.commit update.status task.latest bug.update")
	c := newClient(t, setup{now: clock()})
	made := into[task](c, "create_task", object{"title": "t", "description": "d", "notes": "n"})
	last := made
	for _, tt := range []struct {
		args object
		want string // status, title, description, notes, branch, commit, branches, commits, history
	}{
		{object{}, "need to be done t d n - - 0 0 1"},
		{object{"status": "in-progress", "branch": "feature/a"}, "in-progress t d n feature/a - 1 0 2"},
		{object{"status": "in-progress"}, "in-progress t d n feature/a - 1 0 2"},
		{object{"title": "t2", "description": "d2", "notes": "n2"}, "in-progress t2 d2 n2 feature/a - 1 0 2"},
		{object{"branch": "feature/b"}, "in-progress t2 d2 n2 feature/b - 2 0 2"},
		{object{"branch": "feature/a"}, "in-progress t2 d2 n2 feature/b - 2 0 2"},
		{object{"status": "complete", "commit": commitA}, "complete t2 d2 n2 feature/b " + commitA + " 2 1 3"},
		{object{"commit": commitB}, "complete t2 d2 n2 feature/b " + commitB + " 2 2 3"},
		{object{"commit": commitA}, "complete t2 d2 n2 feature/b " + commitB + " 2 2 3"},
		{object{"status": "need to be done"}, "need to be done t2 d2 n2 feature/b " + commitB + " 2 2 4"},
		{object{"description": "", "notes": ""}, "need to be done t2 - - feature/b " + commitB + " 2 2 4"},
	} {
		t.Run(short(tt.args), func(t *testing.T) {
			args := object{"task_id": made.ID}
			for k, v := range tt.args {
				args[k] = v
			}
			got := into[task](c.on(t), "update_task", args)
			or := func(s *string) string {
				if s == nil {
					return "-"
				}
				return *s
			}
			text := fmt.Sprintf("%s %s %s %s %s %s %d %d %d", got.Status, got.Title, or(got.Description), or(got.Notes), or(got.Branch), or(got.Commit), len(got.Branches), len(got.Commits), len(got.History))
			if text != tt.want || got.Created != made.Created || got.Updated < last.Updated {
				t.Errorf("%s, created %s, updated %s\nwant %s", text, got.Created, got.Updated, tt.want)
			}
			if shown := into[task](c.on(t), "get_task", object{"task_id": made.ID}); fmt.Sprint(shown.History) != fmt.Sprint(got.History) && len(shown.History) != len(got.History) {
				t.Errorf("get_task shows %+v", shown)
			}
			last = got
		})
	}
}

func TestListTasks(t *testing.T) {
	sheet.Proves(t, "list.order list.total list.status list.branch list.limit list.brief create.planning bug.array")
	c := newClient(t, setup{now: clock()})
	for i := range 25 {
		one := into[task](c, "create_task", object{"title": fmt.Sprintf("t%02d", i), "planning_references": `["docs/a.md"]`})
		if len(one.Planning) != 1 || one.Planning[0] != "docs/a.md" {
			t.Fatalf("references %v", one.Planning)
		}
		args := object{"task_id": one.ID, "branch": fmt.Sprintf("feature/%d", i%2)}
		if i%5 == 0 {
			args["status"] = "complete"
		}
		c.Call("update_task", args)
	}
	for _, tt := range []struct {
		args         object
		shown, total int
		first        string
	}{
		{object{}, 20, 25, "t24"}, {object{"limit": 100}, 25, 25, "t24"}, {object{"limit": 1}, 1, 25, "t24"}, {object{"status": "complete"}, 5, 5, "t20"},
		{object{"status": "in-progress"}, 0, 0, ""}, {object{"branch": "feature/"}, 20, 25, "t24"}, {object{"branch": "feature/1"}, 12, 12, "t23"},
		{object{"branch": "eature"}, 0, 0, ""}, {object{"branch": "feature/1", "status": "complete"}, 2, 2, "t15"},
	} {
		t.Run(short(tt.args), func(t *testing.T) {
			l := into[taskList](c.on(t), "list_tasks", tt.args)
			if len(l.Tasks) != tt.shown || l.Total != tt.total || tt.shown > 0 && l.Tasks[0].Title != tt.first {
				t.Errorf("%d of %d, the first %+v", len(l.Tasks), l.Total, l.Tasks)
			}
			for i := 1; i < len(l.Tasks); i++ {
				if l.Tasks[i-1].Created < l.Tasks[i].Created {
					t.Errorf("%s stands before %s", l.Tasks[i-1].Title, l.Tasks[i].Title)
				}
			}
		})
	}
	brief := c.Call("list_tasks", object{"full_details": false, "limit": 1})
	if !regexp.MustCompile(`^\{"tasks":\[\{"id":"[^"]+","title":"t24","status":"need to be done","created_at":"[^"]+","updated_at":"[^"]+"\}\],"total_count":25\}$`).MatchString(brief) {
		t.Errorf("%s", brief)
	}
}

// TestFlow replays the documented flow.
func TestFlow(t *testing.T) {
	sheet.Proves(t, "flow.task")
	c := newClient(t, setup{files: shop})
	i := c.index(nil)
	f := into[found](c, "search_code", object{"query": question, "repository_id": i.RepositoryID})
	one := into[task](c, "create_task", object{"title": "Review the backoff", "description": fmt.Sprintf("%d implementations found", f.TotalCount), "planning_references": []string{f.Results[0].FilePath}})
	done := into[task](c, "update_task", object{"task_id": one.ID, "status": "in-progress", "branch": "review-backoff", "commit": commitA})
	if done.Status != tasks.InProgress || *done.Branch != "review-backoff" || *done.Commit != commitA {
		t.Errorf("%+v", done)
	}
	text, err := json.Marshal(into[taskList](c, "list_tasks", object{"branch": "review"}))
	if err != nil || !strings.Contains(string(text), "implementations found") {
		t.Errorf("%s, %v", text, err)
	}
}
