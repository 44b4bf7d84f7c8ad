package loose

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/wordset"
)

// shell is the rules of shell scripts.
type shell struct {
	loose
	reached map[corpus.FileID][]corpus.FileID
}

// Shell returns the rules of shell scripts for one question.
func Shell(read *corpus.Reader, files func() Files) *infer.Language {
	return &infer.Language{Rules: &shell{newLoose(read, corpus.Shell, files), map[corpus.FileID][]corpus.FileID{}}}
}

// maxSourced bounds the files that one file reaches.
const maxSourced = 2000

// reachable are a file, those that it sources, and those that they source.
func (s *shell) reachable(id corpus.FileID) []corpus.FileID {
	if all, ok := s.reached[id]; ok {
		return all
	}
	all := []corpus.FileID{id}
	for next := 0; next < len(all) && len(all) < maxSourced; next++ {
		for _, to := range s.sourced(all[next]) {
			if !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	s.reached[id] = all
	return all
}

// sourced are the files that a file sources itself.
func (s *shell) sourced(id corpus.FileID) []corpus.FileID {
	f := s.read.File(id)
	var all []corpus.FileID
	for i := range f.Facts.NumImports() {
		m := f.Facts.Import(i)
		if to, ok := s.source(f.Folder, m.Module); ok {
			all = append(all, to)
		}
	}
	return all
}

// source finds a file that is sourced. What bats loads may lack its extension.
func (s *shell) source(folder, p string) (corpus.FileID, bool) {
	if id, ok := s.file(folder, p); ok {
		return id, true
	}
	return s.file(folder, p+".bash")
}

// Import finds the file that is sourced.
func (s *shell) Import(f *corpus.File, m *facts.Import, _ infer.Budget) infer.Answer {
	id, ok := s.source(f.Folder, m.Module)
	if !ok {
		return infer.Answer{State: infer.Outside, Reason: "sourced from elsewhere"}
	}
	return infer.Answer{Modules: []*infer.Module{s.module(id)}, State: infer.Found, Reason: "sourced file"}
}

// Free looks a name up in the files that its file sources. A function may as well be
// in the file that sources this one: the only one of its name, unless it is called
// like a program that everybody has.
func (s *shell) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	if refs := s.inFiles(s.reachable(f.ID), u); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in a file that this one sources"}
	}
	a := s.anywhere(u)
	if a.State == infer.Found && (u.Role != facts.RoleCall || shellPrograms[u.Name]) {
		a.Confidence = facts.Possible
	}
	return a
}

// shellPrograms are programs and builtins that scripts call (POSIX.1-2024 XCU and
// its usual companions).
var shellPrograms = wordset.Of(`alias awk basename bash bc bg break bzip2 cat cd chgrp chmod chown clear cmp column comm command cp curl cut date dd declare
	df diff dirname docker du echo ed emacs env eval exec exit expand export expr false fg file find fold fuser getopts git go grep groups gzip hash head
	hostname id info install ip jobs join kill less let ln local logger login ls lsof make man mkdir mktemp more mount mv nc nice node nohup npm od open
	openssl passwd paste patch perl pidof ping pip popd pr printf ps pushd pwd python python3 read readlink realpath return rm rmdir rsync ruby run
	sed seq service set sh shift sleep sort source split ssh stat stop stty su sudo sum sync systemctl tail tar tee test time timeout top touch tput tr trap
	true tsort tty type ulimit umask umount unalias uname uniq unset unzip update uptime usage user vi vim wait watch wc wget which who whoami xargs xz yes zip`)

// Exported finds what a file declares under a name.
func (s *shell) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	return s.declaredIn(m, name)
}

// Same reports whether two symbols are declared in one scope of one file.
func (s *shell) Same(a, b corpus.Ref) bool { return s.sameScope(a, b) }

// Owns reports whether a symbol and the one that it names stand in one file.
func (s *shell) Owns(typ, owned corpus.Ref, _ infer.Budget) bool { return typ.File == owned.File }
