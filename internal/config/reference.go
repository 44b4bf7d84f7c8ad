package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// reference returns the reference of all settings in Markdown.
func reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	b.WriteString("| key | type | default | environment |\n|---|---|---|---|\n")
	values := reflect.ValueOf(defaults())
	for _, f := range fields {
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` |\n", f.key, f.typeName(), f.defaultText(values.Field(f.index)), f.env)
	}
	for _, f := range fields {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", f.key, f.doc)
	}
	return b.String()
}

const referenceHead = `# Settings

Generated from internal/config by ` + "`make golden`" + `; do not edit.

A setting is taken from the first of these places that has it:

1. a flag of the command,
2. an environment variable,
3. the settings file: the one named by ` + "`--config` or `ESPY_CONFIG`" + `, else
   ` + "`$XDG_CONFIG_HOME/espy/config.toml` (`~/.config/espy/config.toml`)" + `,
4. its default.

` + "`espy config`" + ` shows each setting with its value and where it came from.
The file is TOML with one ` + "`key = value`" + ` per line; an unknown key is an error.
In the environment a list is written with commas. A size is a number of bytes
or has a unit: ` + "`10MiB` (or `10M`) is 10 × 1024², `10MB` is 10 × 1000²" + `.

` + "```toml" + `
exclude = ["*.pb.go", "third_party/**"]
max_file_bytes = "2MiB"
` + "```" + `

`

func (f field) typeName() string {
	switch {
	case f.bytes:
		return "size"
	case f.path:
		return "path"
	case f.kind == reflect.Slice:
		return "list of text"
	case f.kind == reflect.Int64:
		return "number"
	case f.kind == reflect.Bool:
		return "true or false"
	}
	return "text"
}

func (f field) defaultText(v reflect.Value) string {
	switch {
	case f.key == "data_dir":
		return "`$XDG_DATA_HOME/espy` (`~/.local/share/espy`)"
	case f.kind == reflect.Slice:
		return "`[]`"
	case f.kind == reflect.String:
		return "`" + strconv.Quote(v.String()) + "`"
	}
	return "`" + f.text(v.Interface()) + "`"
}

// text writes a value as people read it, a size with the largest unit that
// keeps it exact.
func (f field) text(value any) string {
	switch v := value.(type) {
	case []string:
		return strings.Join(v, ",")
	case int64:
		switch {
		case !f.bytes || v == 0:
		case v%(1<<30) == 0:
			return fmt.Sprintf("%dGiB", v>>30)
		case v%(1<<20) == 0:
			return fmt.Sprintf("%dMiB", v>>20)
		case v%(1<<10) == 0:
			return fmt.Sprintf("%dKiB", v>>10)
		}
	}
	return fmt.Sprint(value)
}
