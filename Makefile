# Espy's tasks: `make` lists them. Everything they need beyond Go is installed
# on first use, and only when the command is missing.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS   += --no-print-directory
.DEFAULT_GOAL := help

export PATH := $(PATH):/usr/local/go/bin:$(HOME)/go/bin
# A checkout that belongs to another user builds too; the version is stamped below.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X espy/internal/cli.version=$(VERSION)
FUZZTIME ?= 10s

# $(call need,COMMAND,PACKAGE) installs the Debian package when the command is missing.
define need
	@command -v $(1) >/dev/null || { \
	  echo "installing $(2)" >&2; \
	  as=; [ "$$(id -u)" = 0 ] || as=sudo; \
	  $$as apt-get install -y -qq $(2) >/dev/null 2>&1 || { $$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -qq $(2) >/dev/null; }; \
	}
endef

.PHONY: help demo build check test test-tools lint bench eval history train train-embedding golden man fuzz mutate soak clean

help: ## list the tasks
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18

go:
	@command -v go >/dev/null || { echo "espy needs Go $$(sed -n 's/^go //p' go.mod) or newer: https://go.dev/dl" >&2; exit 1; }

build: go ## build bin/espy
	$(call need,gcc,gcc libc6-dev)
	@CGO_ENABLED=1 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/espy ./cmd/espy

demo: build ## build Espy, index this repository and answer one question
	@scripts/demo

# Only the grammars need C: what follows leaves them out, which saves minutes.
check: export CGO_ENABLED := 0
check: go ## formatting, vet and the short tests, without C, under two minutes
	@scripts/gofmt
	@go vet ./...
	@go build ./...
	@go test -short -vet=off ./...

# The race detector runs where goroutines are, and makes the tests there smaller.
test: go test-tools ## everything: formatting, vet, staticcheck, tests, the race detector; then what was skipped
	@scripts/gofmt
	@go vet ./...
	@go tool staticcheck ./...
	@{ go test -json -vet=off -timeout 20m ./... && scripts/race; } | go run ./scripts/report

# What the tests run besides the go command.
test-tools:
	$(call need,git,git)
	$(call need,rg,ripgrep)
	$(call need,strace,strace)
	$(call need,zsh,zsh)
	$(call need,fish,fish)
	$(call need,vim,vim)
	$(call need,fzf,fzf)
	$(call need,less,less)
	$(call need,gcc,gcc libc6-dev)
	$(call need,node,nodejs)
	$(call need,npm,npm)
	$(call need,$(or $(lastword $(sort $(wildcard /usr/lib/postgresql/*/bin/initdb))),initdb),postgresql)
	@scripts/pgvector
	@scripts/node-tools

lint: go ## formatting, vet, staticcheck
	@scripts/gofmt
	@go vet ./...
	@go tool staticcheck ./...

bench: build ## the benchmarks of every package
	@go test -run '^$$' -bench . -benchmem ./...

eval: build ## ask CORPORA's QUESTIONS in both modes and of other repositories, ISSUES of MIRRORS, CORPORA's MESSAGES, HISTORY, about CONCEPTS, a KERNEL, and for the time in PACE (docs/quality.md), and NAVIGATION's about symbols (docs/navigation.md)
	@test -n "$(CORPORA)$(ISSUES)$(HISTORY)$(CONCEPTS)$(KERNEL)$(PACE)" -a -n "$(QUESTIONS)$(NAVIGATION)$(ISSUES)$(MESSAGES)$(HISTORY)$(CONCEPTS)$(KERNEL)$(PACE)" || { echo "make eval QUESTIONS=questions.jsonl MESSAGES=messages.json NAVIGATION='a.json b.json' CORPORA=folder-of-repositories ISSUES=instances.jsonl MIRRORS=folder-of-bare-repositories HISTORY=folder-of-make-history CONCEPTS=folder-of-repositories-at-their-revisions KERNEL=tree-of-Linux PACE=folder-with-sources, or some of these (see bin/espy eval --help)" >&2; exit 1; }
	@test -z "$(QUESTIONS)" || bin/espy eval --questions "$(QUESTIONS)" --corpora "$(CORPORA)" --report docs/quality.md
	@test -z "$(QUESTIONS)" || bin/espy eval misplaced --questions "$(QUESTIONS)" --corpora "$(CORPORA)" --report docs/quality.md
	@test -z "$(ISSUES)" || bin/espy eval issues --instances "$(ISSUES)" --mirrors "$(MIRRORS)" --report docs/quality.md
	@test -z "$(MESSAGES)" || bin/espy eval messages --messages "$(MESSAGES)" --corpora "$(CORPORA)" --report docs/quality.md
	@test -z "$(HISTORY)" || bin/espy eval history --out "$(HISTORY)" --repos internal/eval/train/history-repos.json $(if $(MIRRORS),--mirrors "$(MIRRORS)") --before 50 --report docs/quality.md
	@test -z "$(CONCEPTS)" || bin/espy eval concepts --questions internal/eval/concepts/questions.jsonl --corpora "$(CONCEPTS)" $(if $(MIRRORS),--mirrors "$(MIRRORS)") --report docs/quality.md
	@test -z "$(KERNEL)" || bin/espy eval kconfig "$(KERNEL)" --report docs/quality.md
	@test -z "$(PACE)" || bin/espy eval pace "$(PACE)" --functions 0 --questions internal/eval/pace/questions.jsonl --comments 24 --report docs/quality.md
	@test -z "$(NAVIGATION)" || bin/espy eval $(addprefix --navigation ,$(NAVIGATION)) --corpora "$(CORPORA)" --report docs/navigation.md

history: build ## lay out in OUT the questions for make train and make eval, from the commits of the repositories that MIRRORS holds
	@test -n "$(MIRRORS)" -a -n "$(OUT)" || { echo "make history MIRRORS=folder-of-git-mirrors OUT=folder (see bin/espy eval history --help)" >&2; exit 1; }
	@bin/espy eval history --repos internal/eval/train/history-repos.json --mirrors "$(MIRRORS)" --out "$(OUT)" --lay-out

train: build ## fit the weights of ranking to CORPORA's QUESTIONS (and HISTORY's and TREES'), write them and docs/ranking.md
	@test -n "$(QUESTIONS)" -a -n "$(CORPORA)" || { echo "make train QUESTIONS=questions.jsonl CORPORA=folder-of-repositories [HISTORY=folder] [TREES=folder] (see bin/espy eval train --help)" >&2; exit 1; }
	@bin/espy eval train --questions "$(QUESTIONS)" --corpora "$(CORPORA)" $(if $(HISTORY),--history "$(HISTORY)") $(if $(TREES),--trees "$(TREES)") --weights internal/rank/weights.txt --report docs/ranking.md

train-embedding: build ## learn the built-in embedding from packages laid out in SOURCES, write its table and docs/embedding.md
	@test -n "$(SOURCES)" || { echo "make train-embedding SOURCES=folder, which is filled where it is empty (see bin/espy eval embedding --help)" >&2; exit 1; }
	@scripts/embedding-sources "$(SOURCES)"
	@bin/espy eval embedding --sources "$(SOURCES)" --table internal/embedding/static/table.bin --report docs/embedding.md

golden: go ## rewrite every generated file and expected output, then show what changed
	@for p in $$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' cmd internal | xargs -n1 dirname | sort -u); do go test ./$$p -update; done
	@git status --short

man: build ## write the manual pages into bin/man
	@mkdir -p bin/man
	@bin/espy man bin/man

fuzz: go ## every fuzz target for FUZZTIME (10s)
	@scripts/fuzz $(FUZZTIME)

mutate: go ## change N (20) places in PKG at random, by default what differs from main: which changes do its tests notice?
	@go run ./scripts/mutate -n $(or $(N),20) $(if $(SEED),-seed $(SEED)) $(or $(PKG),$$(scripts/changed))

soak: go test-tools ## the long tests: a million files, a gigabyte, kills at random times
	@ESPY_SOAK=1 go test -p 1 -count=1 -timeout 2h -v -run 'TestSoak|TestFaults|TestHardship|TestEveryDamage' ./internal/e2e ./internal/workspace

clean: ## remove what was built
	@rm -rf bin
