package clone

import "time"

// Options say what to clone, where to and within which bounds.
type Options struct {
	URL          string            // https://… or ssh://…; its user and password are never stored or shown
	Dir          string            // of the clone
	Ref          string            // branch, tag or commit id; "" for the branch that the server has checked out
	MaxBytes     int64             // of the clone on disk during a fetch; 0 means 4 GB
	Timeout      time.Duration     // of the whole; 0 means 15 minutes
	AllowPrivate bool              // also from this machine and private networks; addresses of cloud credentials are always refused
	CAFile       string            // certificates to trust instead of the system's; "" for the system's
	Proxy        string            // for https; "" for none
	SSHAgent     string            // socket of the agent with the keys of ssh; "" for none
	Progress     func(bytes int64) // called a few times a second with the bytes on disk; may be nil
}

const (
	defaultMaxBytes = 4 << 30
	defaultTimeout  = 15 * time.Minute
	cloneTick       = 100 * time.Millisecond
	keptPacks       = 8 // an update that finds more packs drops old commits
)
