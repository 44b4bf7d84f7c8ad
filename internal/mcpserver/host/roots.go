package host

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 know roots and the log

import (
	"context"
	"errors"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Roots finds the folders that the client works in, none where it does not tell
// them. A call that returns its error is made again when the client has told them.
type Roots func() ([]string, error)

// rootsKey is the key of the client's folders in the context of a call.
type rootsKey struct{}

// In lets what a call does ask the client for its folders.
func (r Roots) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, rootsKey{}, r)
}

// RootsOf asks the client of a call for its folders.
func RootsOf(ctx context.Context) ([]string, error) {
	if ask, ok := ctx.Value(rootsKey{}).(Roots); ok {
		return ask()
	}
	return noRoots()
}

// errWantRoots ends a call that is made again with the client's folders.
var errWantRoots = errors.New("the client is asked for its folders")

// rootsInput is the name of the request for the client's folders.
const rootsInput = "roots"

// rootsOf finds the folders that a client told with its call.
func rootsOf(req *mcp.CallToolRequest) Roots {
	return func() (folders []string, err error) {
		list, told := req.Params.InputResponses[rootsInput].(*mcp.ListRootsResult)
		if !told {
			if c := req.ClientCapabilities(); c == nil || c.RootsV2 == nil {
				return nil, nil
			}
			return nil, errWantRoots
		}
		for _, root := range list.Roots {
			if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" {
				folders = append(folders, u.Path)
			}
		}
		return folders, nil
	}
}

// noRoots are those of who does not speak the protocol.
func noRoots() ([]string, error) { return nil, nil }

// WantsRoots reports whether an error is that of RootsOf, which a call of a profile
// passes on: the client is asked, and the call is made again.
func WantsRoots(err error) bool { return errors.Is(err, errWantRoots) }

// askForRoots is the answer that asks the client for its folders.
func askForRoots() *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsInput: &mcp.ListRootsParams{}}}
}
