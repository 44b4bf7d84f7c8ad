package lang

import (
	"testing"

	"espy/internal/code"
)

const (
	test    = code.ClassTest
	example = code.ClassExample
	bench   = code.ClassBench
	docs    = code.ClassDocs
	legacy  = code.ClassLegacy
	barrel  = code.ClassBarrel
	tool    = code.ClassTool
	declare = code.ClassDeclaration
	vendor  = code.ClassVendor
	gen     = code.ClassGenerated
	minimal = code.ClassMinified
	lock    = code.ClassLock
)

func TestClassify(t *testing.T) {
	tests := []struct {
		path string
		want code.Class
	}{
		{"main.go", 0},
		{"", 0},
		{"src/store/read.go", 0},

		// Tests by folder.
		{"tests/a.py", test},
		{"src/test/java/A.java", test},
		{"a/__tests__/b.js", test},
		{"a/__mocks__/b.js", test},
		{"pkg/testdata/x.go", test},
		{"spec/models/user.rb", test},
		{"e2e/login.ts", test},
		{"test-utils/a.ts", test},
		{"test_helpers/a.rb", test},
		{"testutil/a.go", test},
		{"src/jvmTest/kotlin/A.kt", test},
		{"core/common/test/A.kt", test},
		{"src/integration-tests/a.rs", test},
		{"Alamofire.Tests/A.cs", test},
		{"UITests/A.swift", test},
		{"fixtures/a.json", test},
		{"k8s/pkg/client/testing/fake.go", test},
		{"src/Illuminate/Testing/TestResponse.php", 0},
		{"unit-testing/a.js", test},
		{"Mocks/A.swift", test},
		{"t/unit/tasks.py", test},
		{"tst/shop/Cart.ps1", test},
		{"src/Shop.Mock.ps1", 0},
		{"src/shop.mock.ts", test},
		{"src/t/a.c", 0},
		{"contest/a.py", 0},
		{"latest/a.py", 0},
		{"attest/a.go", 0},
		{"inspect/spectrum.py", 0},
		{"protest-data/a.go", 0},

		// Go's package testing is none.
		{"testing/testing.go", 0},
		{"src/testing/fstest/mapfs.go", 0},
		{"src/testing/testing_test.go", test},
		{"src/testing/fstest/testdata/a.go", test},
		{"testing/helper.py", test},
		{"testing/a/b/c.go", test},

		// Tests by name.
		{"a/b_test.go", test},
		{"a/test_b.py", test},
		{"a/b.test.ts", test},
		{"a/b.spec.js", test},
		{"a/b_spec.rb", test},
		{"a/b.test-d.ts", test},
		{"a/b-test.js", test},
		{"a/foo_test_util.cc", test},
		{"a/hash_testing.h", test},
		{"a/testing.md", docs},
		{"a/FooTest.java", test},
		{"a/FooTests.cs", test},
		{"a/FooIT.java", test},
		{"a/FooSpec.scala", test},
		{"a/FooSuite.scala", test},
		{"a/FooTestCase.php", test},
		{"a/unit-alloc.cpp", test},
		{"a/install.bats", test},
		{"a/conftest.py", test},
		{"a/tests.rs", test},
		{"a/mock_store.go", test},
		{"a/latest.go", 0},
		{"a/contest.py", 0},
		{"a/greatest.java", 0},
		{"a/Latest.java", 0},
		{"a/attestation.go", 0},
		{"a/testimony.rb", 0},
		{"a/openapi-spec.json", 0},
		{"a/PodSpec.java", 0},
		{"a/CipherSuite.kt", 0},
		{"a/EDIT.java", 0},
		{"a/mock.go", 0},

		// Examples.
		{"examples/a.go", example},
		{"_examples/a.go", example},
		{"docs_src/a.py", example},
		{"my-example/a.go", example},
		{"Demo/a.go", example},
		{"playground/a.ts", example},
		{"sandbox/App/a.cs", example},
		{"src/sandbox/seccomp.c", 0},
		{"config.example", example},
		{"src/sampler/a.go", 0},
		{"src/democracy/a.go", 0},

		// Folders that are names of the program.
		{"src/main/java/com/example/demo/sample/A.java", 0},
		{"app/src/main/kotlin/com/example/tools/docs/A.kt", 0},
		{"src/commonMain/kotlin/io/site/test/A.kt", 0},
		{"src/main/java/com/foo/external/bench/A.java", 0},
		{"src/main/java/com/foo/legacy/A.java", legacy},
		{"src/main/java/com/foo/generated/A.java", gen},
		{"src/main/java/com/foo/sample/ATest.java", test},
		{"okhttp/src/commonJvmAndroidMain/kotlin/a/ConnectionSpec.kt", 0},
		{"src/main/scala/a/TypeSuite.scala", 0},
		{"src/jvmTest/kotlin/a/ConnectionSpec.kt", test},
		{"src/main/ConnectionSpec.kt", test},
		{"src/test/java/com/foo/samples/docs/ATests.java", test},
		{"samples/a/src/test/java/com/foo/ATests.java", test | example},
		{"src/main/scala-2.13/foo/examples/A.scala", 0},
		{"src/main/webapp/vendor/a.js", vendor},
		{"src/main/resources/sample/a.sql", example},
		{"src/test/java/com/example/A.java", test},
		{"samples/web/src/main/java/com/foo/A.java", example},
		{"vendor/x/src/main/java/com/foo/A.java", vendor},
		{"src/clients/java/samples/web/src/main/java/com/demo/A.java", example},
		{"src/clients/java/samples/web/A.java", 0},
		{"src/main.go", 0},
		{"src/domain/sample/a.ts", example},
		{"app/controllers/docs/examples_controller.rb", 0},
		{"app/controllers/sample/demo_controller.rb", 0},
		{"app/Http/Controllers/Demo/A.php", 0},
		{"app/demo/page.tsx", example},
		{"demo/app/models/user.rb", example},
		{"src//main/sample/a.java", example},

		// Benchmarks.
		{"bench/a.go", bench},
		{"benchmarks/a.py", bench},
		{"a/foo_bench.go", bench},
		{"a/FooBenchmark.java", bench},
		{"perf.data/a.c", bench},
		{"a/perfect.c", 0},
		{"workbench/a.c", 0},

		// Documentation.
		{"docs/conf.py", docs},
		{"README.md", docs},
		{"README", docs},
		{"LICENSE", docs},
		{"a/notes.txt", docs},
		{"a/b.rst", docs},
		{"CMakeLists.txt", 0},
		{"requirements.txt", 0},
		{"requirements-dev.txt", 0},
		{"website/src/app.ts", tool},
		{"www/index.php", tool},
		{"src/docker/a.go", 0},

		// Old versions.
		{"legacy/a.py", legacy},
		{"src/v3/a.ts", legacy},
		{"api/core/v1/types.go", 0},
		{"v2/client.go", 0},
		{"api/v1/service.proto", 0},
		{"legacy/v1/a.go", legacy},
		{"db/migrations/1.sql", legacy},
		{"a/py_compat.py", legacy},
		{"a/foo_legacy.go", legacy},
		{"src/old/a.go", legacy},
		{"src/older/a.go", 0},
		{"src/v8/a.cc", 0},

		// Re-exports and declarations.
		{"pkg/__init__.py", barrel},
		{"src/index.ts", barrel},
		{"src/lib.rs", barrel},
		{"src/mod.rs", barrel},
		{"types/a.d.ts", declare},
		{"types/a.pyi", declare},
		{"pkg/__init__.pyi", barrel | declare},

		// Tools, vendored, generated.
		{"scripts/release.sh", tool},
		{".github/workflows/ci.yml", tool},
		{"hack/update.sh", tool},
		{"src/go/build/build.go", tool},
		{"vendor/a/b.go", vendor},
		{"third_party/a.c", vendor},
		{"web/node_modules/x/index.js", vendor | barrel},
		{"dist/app.js", gen},
		{"api/user.pb.go", gen},
		{"api/user_pb2.py", gen},
		{"api/zz_generated.deepcopy.go", gen},
		{"lib/a.g.dart", gen},
		{"static/app.min.js", gen | minimal},
		{"generated/a.ts", gen},
		{"generator/a.ts", 0},

		// Lock files.
		{"package-lock.json", lock},
		{"web/yarn.lock", lock},
		{"go.sum", lock},
		{"Cargo.lock", lock},
		{"src/lock.go", 0},

		// Several at once.
		{"vendor/x/examples/a_test.go", vendor | example | test},
		{"docs/examples/README.md", docs | example},
		{"//a//tests//b.go", test},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if got := Classify(tt.path); got != tt.want {
				t.Errorf("Classify(%q) = %012b, want %012b", tt.path, got, tt.want)
			}
		})
	}
}

func TestClassifyDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Classify("packages/Some-Module/src/test_utils/index.spec.ts") }); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkClassify(b *testing.B) {
	paths := []string{"src/cmd/compile/internal/ssa/rewrite.go", "packages/vitest/src/node/reporters/junit.ts", "activerecord/lib/active_record/connection_adapters/abstract_adapter.rb", "README.md"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		Classify(paths[i&3])
		i++
	}
}

func BenchmarkDetect(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Detect("src/cmd/compile/internal/ssa/rewrite.go", nil)
	}
}
