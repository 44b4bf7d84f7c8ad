package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/lang"
)

func TestIs(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"a/b_test.go": true, "a/b.go": false, "a/testdata/b_test.go": false, "internal/filetest/server.go": false,
		"tests/test_x.py": true, "tests/test_utils.py": true, "tests/conftest.py": false, "tests/x_test.py": true, "app/tests.py": true, "tests/helpers/test_y.py": true, "tests/helpers/y.py": false, "tests/__init__.py": false,
		"src/a.test.ts": true, "src/__tests__/a.tsx": true, "src/a.ts": false, "src/__tests__/utils.test.tsx": true, "src/__tests__/test-utils.ts": false, "src/__tests__/utils.ts": false, "src/__tests__/Cart.svelte": false, "src/__tests__/Cart.vue": false, "pkg/test-utils/eslint.config.js": false, "src/eslint.config.test.js": true, "test/fixtures/a/input.js": false, "spec/operators/map-spec.ts": true, "vitest.config.ts": false,
		"src/test/java/p/FooTest.java": true, "src/test/java/p/TestFoo.java": true, "src/test/java/p/Base.java": false, "src/main/java/p/Contest.java": false,
		"src/test/java/org/acme/samples/data/FooTests.java": true, "src/test/java/org/acme/support/Base.java": false, "src/test/resources/FooTest.java": false,
		"src/main/java/p/LinkSpec.kt": false, "lib/src/commonMain/kotlin/p/ConnectionSpec.kt": false, "src/jvmTest/kotlin/p/LinkSpec.kt": true, "src/main/window.test.ts": true, "mods/__testfixtures__/named.test.js": false,
		"spec/helpers/link_helper_spec.rb": true, "spec/support/matchers.rb": false, "test/helpers/link.test.ts": true, "test/helpers/link.ts": false, "test/samples/a.test.js": false,
		"tests/it.rs": true, "src/runtime/tests/loom_pool.rs": true, "tests/common/mod.rs": false, "tokio-test/src/io.rs": false,
		"test/models/user_test.rb": true, "spec/models/user_spec.rb": true, "test/test_helper.rb": false, "test/spec_request.rb": true, "lib/spec_runner.rb": false, "test/spec_helper.rb": false,
		"test/plug/conn_test.exs": true, "lib/plug/test.ex": false, "test/support/conn_case.ex": false, "test/test_helper.exs": false, "test/a_test.dart": true, "lib/testing.dart": false, "spec/a_spec.cr": true, "spec/spec_help.cr": false,
		"tests/Http/ResourceTest.php": true, "tests/bootstrap.php": false, "node_modules/x/a.test.js": false, "tests/README.md": false, "tests/a.json": false,
	} {
		t.Run(p, func(t *testing.T) {
			language := ""
			if l := lang.Detect(p, nil); l != nil {
				language = l.Name
			}
			if got := Is(p, language, lang.Classify(p)); got != want {
				t.Errorf("Is(%q, %q) = %v, want %v", p, language, got, want)
			}
		})
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]string{
		"t/test_parser.py": "parser", "src/parser.test.ts": "parser", "p/ParserTest.java": "parser", "p/user_spec.rb": "user", "a/push_context_test.go": "pushcontext", "x/tests.py": "tests",
	} {
		t.Run(p, func(t *testing.T) {
			if got := Subject(p); got != want {
				t.Errorf("Subject(%q) = %q, want %q", p, got, want)
			}
		})
	}
}

func TestLike(t *testing.T) {
	t.Parallel()
	n := NewNames([]string{
		"pkg/babel-parser/test/index.js", "pkg/babel-core/test/index.js", "pkg/babel-types/test/index.js", "tokio/tests/sync_mpsc.rs", "tokio/tests/sync_mutex.rs", "tokio/tests/fs_file.rs", "tokio/tests/time_sleep.rs", "util/tests/udp.rs", "stream/tests/stream_stream_map.rs",
	})
	for p, want := range map[string]string{
		"tokio/src/sync/mpsc/chan.rs": "tokio/tests/sync_mpsc.rs", "util/src/udp/frame.rs": "util/tests/udp.rs", "stream/src/stream_map.rs": "stream/tests/stream_stream_map.rs",
		"tokio/src/time/sleep.rs": "tokio/tests/time_sleep.rs", "tokio/src/sync/mutex/mod.rs": "tokio/tests/sync_mutex.rs", "other/thing.rs": "", "pkg/babel-parser/src/tokenizer/index.ts": "pkg/babel-parser/test/index.js",
	} {
		t.Run(p, func(t *testing.T) {
			best, most := "", 0.0
			n.Like(p, func(suite string, share float64) {
				if share < 0 || share > 1 {
					t.Errorf("share of %s = %v", suite, share)
				}
				if share > most {
					best, most = suite, share
				}
			})
			if best != want {
				t.Errorf("Like(%q) = %q, want %q", p, best, want)
			}
		})
	}
}

// TestLikePrefix holds that a word which no test has, as the name of the project, takes
// nothing from the words that tests have.
func TestLikePrefix(t *testing.T) {
	t.Parallel()
	n := NewNames([]string{"src/__tests__/number.test.ts", "src/__tests__/string.test.ts", "src/__tests__/object.test.ts"})
	share := func(p string) (got float64) {
		n.Like(p, func(suite string, share float64) {
			if suite == "src/__tests__/number.test.ts" {
				got = share
			}
		})
		return got
	}
	if bare, prefixed := share("src/types/Number.ts"), share("src/types/AcmeNumber.ts"); bare == 0 || prefixed != bare {
		t.Errorf("share of AcmeNumber = %v, of Number = %v", prefixed, bare)
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		files map[string]string
		tests []Test
		want  []string
	}{
		{"go", map[string]string{"go.mod": ""}, []Test{{"a/a_test.go", "go", []string{"TestB", "TestA"}}, {"b_test.go", "go", []string{"TestC"}}}, []string{"go test . ./a -run ^(TestA|TestB|TestC)$"}},
		{"go, one file whose tests are not known", map[string]string{"go.mod": ""}, []Test{{"a/a_test.go", "go", []string{"TestA"}}, {"a/b_test.go", "go", nil}}, []string{"go test ./a"}},
		{"go, a module below", map[string]string{"go.mod": "", "sub/go.mod": ""}, []Test{{"sub/a/a_test.go", "go", nil}}, []string{"sub: go test ./a"}},
		{"pytest", map[string]string{"pyproject.toml": "[tool.pytest.ini_options]"}, []Test{{"t/test_a.py", "python", nil}}, []string{"python -m pytest t/test_a.py"}},
		{"unittest", map[string]string{"setup.py": ""}, []Test{{"t/test_a.py", "python", nil}}, []string{"python -m unittest t.test_a"}},
		{"django", map[string]string{"manage.py": "import django"}, []Test{{"app/tests.py", "python", nil}}, []string{"python manage.py test app.tests"}},
		{"vitest in a package", map[string]string{"package.json": "{}", "packages/a/package.json": `{"devDependencies": {"vitest": "1"}}`}, []Test{{"packages/a/x.test.ts", "typescript", nil}}, []string{"packages/a: npx vitest run x.test.ts"}},
		{"jest", map[string]string{"package.json": `{"jest": {}}`}, []Test{{"x.test.js", "javascript", nil}}, []string{"npx jest x.test.js"}},
		{"mocha", map[string]string{".mocharc.js": ""}, []Test{{"spec/x-spec.ts", "typescript", nil}}, []string{"npx mocha spec/x-spec.ts"}},
		{"cargo", map[string]string{"Cargo.toml": "[workspace]", "a/Cargo.toml": "[package]"}, []Test{{"a/tests/x.rs", "rust", nil}, {"a/tests/y.rs", "rust", nil}}, []string{"a: cargo test --test x --test y"}},
		{"zig, d and ocaml run all tests of a project", map[string]string{"build.zig": `b.step("test", "")`, "d/dub.sdl": "", "o/dune-project": ""}, []Test{{"src/a.zig", "zig", nil}, {"src/b.zig", "zig", nil}, {"d/x.d", "d", nil}, {"o/x.ml", "ocaml", nil}}, []string{"zig build test", "d: dub test", "o: dune runtest"}},
		{"cargo, a folder that is a program", map[string]string{"Cargo.toml": "[package]", "tests/it/main.rs": "mod a;"}, []Test{{"tests/it/a.rs", "rust", nil}, {"tests/it/b/c.rs", "rust", nil}}, []string{"cargo test --test it"}},
		{"cargo, a folder that is part of another program", map[string]string{"Cargo.toml": "[package]", "tests/all.rs": "mod parts;"}, []Test{{"tests/all.rs", "rust", nil}, {"tests/parts/a.rs", "rust", nil}}, []string{"cargo test"}},
		{"dart", map[string]string{"a/pubspec.yaml": "name: a", "b/pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n"}, []Test{{"a/test/x_test.dart", "dart", nil}, {"b/test/y_test.dart", "dart", nil}}, []string{"b: flutter test test/y_test.dart", "a: dart test test/x_test.dart"}},
		{"cargo, within the library", map[string]string{"Cargo.toml": "[package]"}, []Test{{"src/tests/x.rs", "rust", nil}}, []string{"cargo test"}},
		{"maven", map[string]string{"pom.xml": ""}, []Test{{"src/test/java/p/FooTest.java", "java", nil}, {"src/test/java/p/BarTest.java", "java", nil}}, []string{"mvn test -Dtest=FooTest,BarTest"}},
		{"gradle", map[string]string{"build.gradle.kts": ""}, []Test{{"src/test/kotlin/FooTest.kt", "kotlin", nil}}, []string{"./gradlew test --tests FooTest"}},
		{"gradle, several projects", map[string]string{"settings.gradle": "include 'core', 'connect:api'", "core/build.gradle": ""}, []Test{{"core/src/test/java/p/ATest.java", "java", nil}, {"connect/api/src/test/java/BTest.java", "java", nil}, {"core/src/integrationTest/java/CTest.java", "java", nil}, {"core/src/test/scala/DTest.scala", "scala", nil}, {"core/src/androidTest/java/ETest.java", "java", nil}}, []string{"./gradlew :connect:api:test --tests BTest :core:integrationTest --tests CTest :core:test --tests ATest --tests DTest"}},
		{"gradle, several platforms", map[string]string{"settings.gradle.kts": ""}, []Test{{"a/src/commonTest/kotlin/ATest.kt", "kotlin", nil}, {"a/src/jvmTest/kotlin/BTest.kt", "kotlin", nil}}, []string{"./gradlew :a:jvmTest --tests ATest --tests BTest"}},
		{"gradle, on devices alone", map[string]string{"settings.gradle": ""}, []Test{{"a/src/androidTest/java/ATest.java", "java", nil}}, nil},
		{"sbt", map[string]string{"build.sbt": ""}, []Test{{"core/src/test/scala/p/FooSpec.scala", "scala", nil}, {"core/src/test/scala/p/BarTest.scala", "scala", nil}}, []string{"sbt testOnly *.FooSpec *.BarTest"}},
		{"mill", map[string]string{"build.sc": ""}, []Test{{"a/test/src/FooTest.scala", "scala", nil}}, []string{"./mill __.test"}},
		{"phpunit", map[string]string{"phpunit.xml.dist": ""}, []Test{{"tests/FooTest.php", "php", nil}}, []string{"vendor/bin/phpunit tests/FooTest.php"}},
		{"rspec", map[string]string{"Gemfile": "gem 'rspec'"}, []Test{{"spec/a_spec.rb", "ruby", nil}}, []string{"bundle exec rspec spec/a_spec.rb"}},
		{"two languages", map[string]string{"go.mod": "", "pytest.ini": ""}, []Test{{"a_test.go", "go", nil}, {"test_a.py", "python", nil}}, []string{"go test .", "python -m pytest test_a.py"}},
		{"nothing says how", nil, []Test{{"a_test.go", "go", nil}, {"t/x.tcl", "tcl", nil}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range Commands(tt.tests, func(p string) (string, bool) { text, ok := tt.files[p]; return text, ok }) {
				line := strings.Join(c.Args, " ")
				if c.Dir != "" {
					line = fmt.Sprintf("%s: %s", c.Dir, line)
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Commands (-want +got):\n%s", diff)
			}
		})
	}
}
