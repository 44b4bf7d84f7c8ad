package framework_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/facts/factstest"
	"espy/internal/links/edge"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// many are programs with ten thousand routes in one file each: what stands before
// them, one of them, what stands behind.
var many = map[string]struct{ path, head, route, foot string }{
	"Nest":    {"a.ts", "import { Controller, Get } from '@nestjs/common';\n@Controller('x')\nexport class A {\n", "  @Get('r%d')\n  f%[1]d() {}\n", "}\n"},
	"Rails":   {"config/routes.rb", "Rails.application.routes.draw do\n", "  get '/r%d', to: 'a#b'\n", "end\n"},
	"axum":    {"src/lib.rs", "use axum::{routing::get, Router};\nasync fn a() {}\npub fn app() -> Router {\n    let mut r = Router::new();\n", "    r = r.route(\"/r%d\", get(a));\n", "    r\n}\n"},
	"chi":     {"a.go", "package a\n\nimport \"github.com/go-chi/chi\"\n\nfunc h() {}\n\nfunc routes(r chi.Router) {\n\tr.Route(\"/x\", func(r chi.Router) {\n", "\t\tr.Get(\"/r%d\", h)\n", "\t})\n}\n"},
	"Phoenix": {"lib/router.ex", "defmodule W.Router do\n  use W, :router\n  scope \"/\", W do\n", "    get \"/r%d\", C, :a\n", "  end\nend\n"},
	"Laravel": {"routes/web.php", "<?php\nRoute::prefix('x')->group(function () {\n", "Route::get('/r%d', [A::class, 'b']);\n", "});\n"},
}

// TestManyRoutes holds that a rule that meets ten thousand routes ends in time.
func TestManyRoutes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n = 10_000
	for name, m := range many {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			text.WriteString(m.head)
			for i := range n {
				fmt.Fprintf(&text, m.route, i)
			}
			text.WriteString(m.foot)
			x, err := locate.New([]corpus.Part{factstest.Part(t, map[string][]byte{m.path: []byte(text.String())})})
			if err != nil {
				t.Fatal(err)
			}
			err = x.Run(func(a *locate.Ask) error {
				began := time.Now()
				all, _, err := framework.Find(a, edge.Route)
				t.Log(time.Since(began))
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("took %v", took)
				}
				if len(all) != n {
					t.Errorf("%d routes, want %d", len(all), n)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
