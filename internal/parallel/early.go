package parallel

import (
	"context"
	"time"
)

// Early returns a context that ends when one part in parts of the time of ctx is
// left, to answer with what was found until then.
func Early(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/time.Duration(parts)))
}

// Within returns a context that ends after a time; 0 sets none.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}
