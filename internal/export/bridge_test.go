package export

import (
	"bytes"
	"context"

	"espy/internal/filter"
	"espy/internal/locate"
)

// WriteIndex exports an index without a repository round it.
func WriteIndex(ctx context.Context, x *locate.Index, r Request, form Form) ([]byte, *Tail, error) {
	pass, err := filter.NewFileFilter(r.Paths, r.Languages)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	e := exporter{ctx: ctx, index: x.Until(func() bool { return ctx.Err() != nil }), request: &r, form: form, out: restarted{&out}}
	t, err := e.write(&Head{Root: "/srv/of it", Request: r}, pass)
	return out.Bytes(), t, err
}

type restarted struct{ *bytes.Buffer }

func (r restarted) Restart() error { r.Reset(); return nil }
