package view

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRebuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b rebuilt
		if got := b.reason(); got != "" {
			t.Errorf("reason = %q before anything was rebuilt", got)
		}
		b.note("it was damaged")
		time.Sleep(rebuiltTime)
		if got := b.reason(); got != "it was damaged" {
			t.Errorf("reason = %q, want that it was damaged", got)
		}
		time.Sleep(time.Nanosecond)
		if got := b.reason(); got != "" {
			t.Errorf("later reason = %q, want none", got)
		}
	})
}
