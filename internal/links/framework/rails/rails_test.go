package rails_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/links/framework/rails"
)

// told writes routes, one a line.
func told(routes []rails.Route) string {
	var out strings.Builder
	for _, r := range routes {
		fmt.Fprint(&out, r.Verb, " ", r.Path)
		if r.Controller != "" {
			fmt.Fprintf(&out, " %s#%s", r.Controller, r.Action)
		}
		if r.Other != "" {
			fmt.Fprintf(&out, " (%s)", r.Other)
		}
		if r.Filled {
			fmt.Fprint(&out, " filled")
		}
		if r.File != "" {
			fmt.Fprint(&out, " in ", r.File)
		}
		fmt.Fprintln(&out)
	}
	return strings.TrimRight(out.String(), "\n")
}

const all = "GET /P c#index\nPOST /P c#create\nGET /P/new c#new\nGET /P/:id/edit c#edit\nGET /P/:id c#show\nPATCH /P/:id c#update\nPUT /P/:id c#update\nDELETE /P/:id c#destroy"

// drawn are the routes of resources at a path, for a controller.
func drawn(path, controller string) string {
	return strings.NewReplacer("/P", path, " c#", " "+controller+"#").Replace(all)
}

func TestRoutes(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"root":                {`root "home#index"`, "GET / home#index"},
		"root to":             {`root to: "home#index"`, "GET / home#index"},
		"root in a namespace": {"namespace :admin do\n root :to => 'home#index'\nend", "GET /admin admin/home#index"},
		"get to":              {`get "/about", to: "pages#about", as: :about`, "GET /about pages#about"},
		"get with a rocket":   {`get "/s/:id/(:title)" => "stories#show", :as => "s"`, "GET /s/:id/(:title) stories#show"},
		"get of a path":       {`get 'photos/poll'`, "GET /photos/poll photos#poll"},
		"parentheses":         {`get("/x", to: "a#b")`, "GET /x a#b"},
		"match":               {`match "/x", to: "a#b", via: [:get, :post]`, "GET /x a#b\nPOST /x a#b"},
		"match all":           {`match "/x" => "a#b", via: :all`, " /x a#b"},
		"redirect":            {`get "/old", to: redirect("/new")`, "GET /old (a redirect)"},
		"redirect of a block": {"get '/old' => redirect { |p, r| \"/new\" }\nget '/x' => 'a#b'", "GET /old (a redirect)\nGET /x a#b"},
		"a lambda":            {"get '/up', to: ->(env) { [200, {}, ['ok']] }\nroot 'a#b'", "GET /up (a function written in place)\nGET / a#b"},
		"mount":               {`mount Sidekiq::Web => "/sidekiq"`, " /sidekiq (Sidekiq::Web)"},
		"mount at":            {`mount ActionCable.server, at: "/cable"`, " /cable (ActionCable.server)"},
		"resources":           {"resources :photos", drawn("/photos", "photos")},
		"resources, only":     {"resources :photos, only: %i[index show]", "GET /photos photos#index\nGET /photos/:id photos#show"},
		"resources, except":   {"resources :photos, :except => [:new, :edit, :update, :destroy, :create]", "GET /photos photos#index\nGET /photos/:id photos#show"},
		"two resources":       {"resources :a, :b, only: :index", "GET /a a#index\nGET /b b#index"},
		"a resource":          {"resource :profile, only: [:show, :update]", "GET /profile profiles#show\nPATCH /profile profiles#update\nPUT /profile profiles#update"},
		"plurals":             {"resource :owners, only: :show\nresource :status, only: :show\nresource :category, only: :show", "GET /owners owners#show\nGET /status statuses#show\nGET /category categories#show"},
		"nested": {"resources :categories, only: [] do\n  resources :posts, only: :show\nend",
			"GET /categories/:category_id/posts/:id posts#show"},
		"member and collection": {"resources :posts, only: [] do\n  member do\n    post :like\n    get 'who-liked'\n  end\n  collection { get :search }\n  get :preview, on: :member\n  get :draft\nend",
			"POST /posts/:id/like posts#like\nGET /posts/:id/who-liked posts#who_liked\nGET /posts/search posts#search\nGET /posts/:id/preview posts#preview\nGET /posts/:post_id/draft posts#draft"},
		"options":        {"resources :users, path: 'people', param: :name, controller: 'accounts', only: :show", "GET /people/:name accounts#show"},
		"namespace":      {"namespace :api, path: '' do\n  namespace :v1 do\n    resources :users, only: :index\n  end\nend", "GET /v1/users api/v1/users#index"},
		"scope":          {"scope '/:locale', module: 'site' do\n  get '/x', to: 'a#b'\nend\nscope format: false do\n  get '/y', to: 'a#b'\nend", "GET /:locale/x site/a#b\nGET /y a#b"},
		"optional scope": {"scope '(/:locale)' do\n get 'x', to: 'a#b'\nend", "GET (/:locale)/x a#b"},
		"controller":     {"controller :sessions do\n  get 'login' => :new\n  post 'login', action: :create\nend", "GET /login sessions#new\nPOST /login sessions#create"},
		"an action":      {"scope controller: 'old', action: 'gone' do\n  get 'a/b'\nend\nget '/x.json'\nget 'gems/:id'", "GET /a/b old#gone\nGET /x.json\nGET /gems/:id"},
		"shallow":        {"resources :posts, only: [], shallow: true do\n  resources :comments, only: [:index, :show]\nend", "GET /posts/:post_id/comments comments#index\nGET /comments/:id comments#show"},
		"concern": {"concern :commentable do\n  resources :comments, only: :index\nend\nresources :posts, only: [], concerns: :commentable\nresources :films, only: [] do\n  concerns :commentable\nend",
			"GET /posts/:post_id/comments comments#index\nGET /films/:film_id/comments comments#index"},
		"a condition": {"if Rails.env.development?\n  get '/x', to: 'a#b'\nelse\n  get '/y', to: 'a#b' if true\nend\nget '/z', to: 'a#b' unless x", "GET /x a#b\nGET /y a#b\nGET /z a#b"},
		"other blocks": {"authenticate :user, lambda { |u| u.admin? } do\n  constraints(id: /[^\\/]+\"/) do\n    get '/x/:id', to: 'a#b'\n  end\nend\nget '/y' => 'a#b'",
			"GET /x/:id a#b\nGET /y a#b"},
		"a loop":          {"%w[a b].each do |x|\n  get \"/#{x}\", to: 'a#b'\nend\nroot 'a#b'", "GET /{} a#b filled\nGET / a#b"},
		"comments":        {"# get '/no', to: 'a#b'\n=begin\nget '/no'\n=end\nget '/x', # it's\n  to: 'a#b'", "GET /x a#b"},
		"direct":          {"direct(:x) do\n  get '/no', to: 'a#b'\nend\nroot 'a#b'", "GET / a#b"},
		"a file":          {"namespace :admin do\n  draw(:more)\nend\ndraw :none", "GET /admin/more admin/more#index in more"},
		"one line":        {"namespace(:a) { get :b, to: 'c#d' }\nroot 'a#b'", "GET /a/b a/c#d\nGET / a#b"},
		"behind the end":  {"end\nget '/no', to: 'a#b'", ""},
		"a variable":      {"resources name, only: :index", "GET /{} filled"},
		"nothing written": {"get '/x/:action'", "GET /x/:action"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "Rails.application.routes.draw do\n" + c.text + "\nend\n"
			got := told(rails.Routes([]byte(text), len("Rails.application.routes.draw"), rails.Engine{}, func(name string) []byte {
				if name == "more" {
					return []byte("resources :more, only: :index\n")
				}
				return nil
			}))
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestRoutesEnd holds that hostile texts and ten thousand routes end.
func TestRoutesEnd(t *testing.T) {
	for name, text := range map[string]string{
		"ten thousand routes":         "draw do\n" + strings.Repeat("get '/x/y', to: 'a#b'\n", 10_000) + "end",
		"a concern that holds itself": "draw do\nconcern :c do\nresources :a, concerns: :c\nresources :b, concerns: :c\nend\nconcerns :c\nend",
		"a file that draws itself":    "draw do\ndraw :self\ndraw :self\nend",
		"blocks without an end":       "draw do\n" + strings.Repeat("namespace :a do\n", 100_000),
		"brackets":                    "draw do\nget " + strings.Repeat("(", 100_000),
		"quotes":                      "draw do\n" + strings.Repeat("get '", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			all := rails.Routes([]byte(text), len("draw"), rails.Engine{}, func(string) []byte { return []byte("draw :self\ndraw :self\n") })
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if name == "ten thousand routes" && len(all) != 10_000 {
				t.Errorf("%d routes", len(all))
			}
		})
	}
}

func FuzzRoutes(f *testing.F) {
	f.Add("draw do\nresources :a, only: %i[b] do\nmember { get :x }\nend\nend")
	f.Add("draw do\nget '/a' => redirect { |x| }\nconcern :a do\nend\nmatch 'x', via: [:get]\nmount A => '/b'\nend")
	f.Add("draw do\nroot\nget\nresources\nscope do\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range rails.Routes([]byte(text), 0, rails.Engine{}, func(string) []byte { return nil }) {
			if r.At >= len(text) {
				t.Errorf("a route behind the text: %v", r)
			}
		}
	})
}
