package render

import "espy/internal/code"

// page writes as many of n results as the bound of o allows; form returns the
// JSON form with a number of them.
func page(o Options, n int, form func(shown int) any) []byte {
	for shown := n; ; {
		text := JSON(form(shown))
		if o.MaxTokens == 0 || code.Tokens(len(text)) <= o.MaxTokens || shown == 0 {
			return text
		}
		shown = fewer(shown, len(text), o.MaxTokens*4)
	}
}
