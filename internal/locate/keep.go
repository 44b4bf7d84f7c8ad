package locate

import (
	"reflect"
	"sync"
)

// kept is what questions worked out of a whole state, one value of each type.
type kept struct {
	mu  sync.Mutex
	all map[reflect.Type]any // guarded by mu

	last lastJoined
}

// Keep returns what work makes of the whole state that a question is put to. It
// is worked out once for all questions of an Index, unless it is not whole because
// the time was over. It is shared: do not change it.
func Keep[T any](a *Ask, work func() (value *T, whole bool)) *T {
	key := reflect.TypeFor[T]()
	a.kept.mu.Lock()
	value, ok := a.kept.all[key].(*T)
	a.kept.mu.Unlock()
	if ok {
		return value
	}
	value, whole := work()
	if whole {
		a.kept.mu.Lock()
		defer a.kept.mu.Unlock()
		if a.kept.all == nil {
			a.kept.all = map[reflect.Type]any{}
		}
		a.kept.all[key] = value
	}
	return value
}
