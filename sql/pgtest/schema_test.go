package pgtest

import "testing"

func TestTheNameOfTheSchemaStaysTheSame(t *testing.T) {
	t.Parallel()
	if a, b := schemaName(), schemaName(); a != b || len(a) != 16 {
		t.Errorf("%q and %q", a, b)
	}
}
