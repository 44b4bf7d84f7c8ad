package local_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/store/blob"
	"espy/internal/store/blob/blobtest"
	"espy/internal/store/blob/local"
)

func TestPlace(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Places {
		path := t.TempDir()
		return blobtest.Places{
			Open: func(t *testing.T) blob.Place {
				d, err := local.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				return d.Place()
			},
			Age: func(t *testing.T, by time.Duration) {
				files, _ := filepath.Glob(filepath.Join(path, "*"))
				for _, f := range files {
					info, err := os.Stat(f)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.Chtimes(f, time.Time{}, info.ModTime().Add(-by)); err != nil {
						t.Fatal(err)
					}
				}
			},
		}
	})
}
