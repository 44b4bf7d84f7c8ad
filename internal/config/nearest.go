package config

import (
	"fmt"

	"espy/internal/nearest"
)

// nearestHint names the known word nearest to a misspelt one.
func nearestHint(word string, known []string) string {
	if near := nearest.Of(word, known, 1); near != nil {
		return fmt.Sprintf("did you mean %s?", near[0])
	}
	return "the settings are listed by espy config"
}

func didYouMean(word string, known []string) string {
	if near := nearest.Of(word, known, 1); near != nil {
		return fmt.Sprintf("; did you mean %s?", near[0])
	}
	return ""
}
