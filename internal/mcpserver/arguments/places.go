package arguments

// Places are the arguments of a tool that hold paths, places or ids of the repository
// that it asks.
func Places(tool string) []string {
	switch tool {
	case "index", "status": // folders to attach
		return nil
	case "search":
		return []string{"path"}
	}
	return []string{"at", "path", "queries", "query", "symbol", "to", "what"}
}
