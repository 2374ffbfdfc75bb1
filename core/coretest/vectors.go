package coretest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tradepost/core"
)

// Actors of tests of rules.
var (
	Visitor   = core.Actor{Address: "::1"}
	Seller    = core.Actor{UserID: 2, Username: "fern"}
	Moderator = core.Actor{UserID: 9, Username: "mod", Moderator: true}
)

// Vectors reads cases that Go and the page share from core/testdata. The test must be in a package directly
// below core.
func Vectors[T any](t *testing.T, file string) T {
	t.Helper()
	var v T
	data, err := os.ReadFile(filepath.Join("..", "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// FieldsOf returns the sentence for each broken field that err names.
func FieldsOf(err error) map[string]string {
	fields := map[string]string{}
	var coreErr *core.Error
	if errors.As(err, &coreErr) {
		for _, f := range coreErr.Fields {
			fields[f.Field] = f.Message
		}
	}
	return fields
}

// CopperOf returns the amount that vectors have as text.
func CopperOf(t *testing.T, s string) core.Copper {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return core.Copper(n)
}

// AlwaysFresh returns an actor whose sign-in counts as fresh however far the clock of a test goes forward.
func AlwaysFresh(a core.Actor) core.Actor {
	a.SignedInAt = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	return a
}
