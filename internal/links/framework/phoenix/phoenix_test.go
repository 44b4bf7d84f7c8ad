package phoenix_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/links/framework/phoenix"
)

// TestRoutes reads the routes of small routers.
func TestRoutes(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"scope", `scope "/api", DemoWeb.API, as: :api do
  pipe_through [:browser, :api]
  get "/ping", PingController, :show
  scope "/v1", V1 do
    match :*, "/any", AnyController, :go
  end
end
post("/hook", DemoWeb.HookController, :create)`, `GET /api/ping DemoWeb.API.PingController show
 /api/v1/any DemoWeb.API.V1.AnyController go
POST /hook DemoWeb.HookController create`},
		{"resources", `resources "/users", UserController, only: [:index, :show] do
  resources "/posts", PostController, except: [:index, :new, :create, :edit, :update, :delete], param: "slug"
end
resources "/me", MeController, singleton: true, only: [:show, :index]`, `GET /users UserController index
GET /users/:id UserController show
GET /users/:user_id/posts/:slug PostController show
GET /me MeController show`},
		{"all actions", `resources "/a", AController`, `GET /a AController index
GET /a/:id/edit AController edit
GET /a/new AController new
GET /a/:id AController show
POST /a AController create
PATCH /a/:id AController update
PUT /a/:id AController update
DELETE /a/:id AController delete`},
		{"live and forward", `alias Demo.{Admin, Other}
live_session :default, on_mount: [Auth] do
  live "/users/:id", Admin.UserLive, :show
end
forward "/jobs", Other.Plug,
  init_opts: [a: fn x -> x end]
get "/after", C, :a`, `GET /users/:id Demo.Admin.UserLive 
 /jobs Demo.Other.Plug 
GET /after C a`},
		{"no routes", `pipeline :x do
  plug :y # do
end
def f(conn) do
  case get(conn, :a) do
    nil -> if conn do :b else :c end
    x -> get x, "/no", [:a]
    y -> get "/no", Module
  end
end
if Mix.env() == :dev, do: nil
get "/yes", C, :a`, `GET /yes C a`},
		{"sigils and comments", `plug P, a: ~w('self' https://example.org), # "don't
  b: ?"
get ~p"/no", C, :a
get "/yes", C, :a # get "/no", C, :a`, `GET /yes C a`},
		{"filled", "scope @base, W do\n  get \"/#{x}/a\", C, :a\nend", `GET /{}/{}/a W.C a`},
		{"ends early", `scope "/a" do get "/b`, ``},
		{"deep", strings.Repeat("scope \"/a\" do\n", 1000), ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range phoenix.Routes([]byte(tt.text)) {
				got = append(got, fmt.Sprintf("%s %s %s %s", r.Verb, r.Path, r.Module, r.Action))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("routes (-want +got):\n%s", diff)
			}
		})
	}
}
