package code

import "path/filepath"

// Below returns path relative to root, with slashes and "." for root itself,
// where path is root or lies below it. Both are absolute, or both relative;
// symbolic links are not resolved.
func Below(root, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
