package laravel_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/links/framework/laravel"
	"espy/internal/links/framework/written"
)

func TestGroupAt(t *testing.T) {
	for text, want := range map[string]string{
		`Route::prefix('/a/')->middleware("x")->group(function () {})`:      "a ",
		`Route::controller(Users::class)->prefix('b')->group(f)`:            "b Users",
		`Route::group(['prefix' => 'c', 'as' => 'x'], function () {})`:      "c ",
		`Route::namespace('N')->group(['namespace' => 'M'], f)`:             ` N\M`,
		`Route::group(array('prefix' => 'c', 'namespace' => 'N\M'), f)`:     `c N\M`,
		`Route::middleware('api')->group(base_path('routes/api.php'))`:      " routes/api.php",
		`Route::get('/x', f); $list->group(function () {})`:                 "none",
		`$list->group(function () {})`:                                      "none",
		`Route::prefix('a')->group(function () { load('routes/x'); })`:      "a ",
		`Route::prefix('a')->prefix('b')->group(function () { Route::x; })`: "a/b ",
	} {
		t.Run(text, func(t *testing.T) {
			at := strings.Index(text, "group(")
			list, _, _ := written.Arguments([]byte(text), at+len("group"))
			g, ok := laravel.GroupAt([]byte(text), at, list)
			got := g.Prefix + " " + g.Namespace + g.Controller.Text + g.File
			if !ok {
				got = "none"
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestResource(t *testing.T) {
	for name, c := range map[string]struct {
		resource, behind, want string
		api                    bool
	}{
		"all":     {"photos", ";", "index[GET]/photos create[GET]/photos/create store[POST]/photos show[GET]/photos/{photo} edit[GET]/photos/{photo}/edit update[PUT PATCH]/photos/{photo} destroy[DELETE]/photos/{photo}", false},
		"nested":  {"user-lists.songs", "->only(['show']);", "show[GET]/user-lists/{user_list}/songs/{song}", true},
		"without": {"a", "\n->except('index', 'store', 'show', 'update')->x();", "destroy[DELETE]/a/{a}", true},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range laravel.Resource(c.resource, c.api, []byte(c.behind)) {
				got = append(got, fmt.Sprint(r.Action, r.Verbs, r.Path))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}
