package mcpserver

import "slices"

// The sets that tools belong to.
const (
	setCore   = ""       // search, read and what goes with them
	setManage = "manage" // what changes indexes
	setGit    = "git"    // history
	setGraph  = "graph"  // how code hangs together
	setTasks  = "tasks"  // development tasks
)

// Toolsets names the sets of tools, and all of them together.
var Toolsets = []string{"core", setManage, setGit, setGraph, setTasks, "all"}

// DefaultToolsets are the sets that are served when none is named.
var DefaultToolsets = []string{"core", setManage}

// served reports whether a tool belongs to the sets that the options name. The
// core is always served.
func (o *Options) served(t tool) bool {
	if t.set == setTasks && o.Tasks == nil {
		return false
	}
	sets := o.Toolsets
	if len(sets) == 0 {
		sets = DefaultToolsets
	}
	return (t.set == setCore || slices.Contains(sets, t.set) || slices.Contains(sets, "all")) && (t.readOnly || !o.ReadOnly)
}
