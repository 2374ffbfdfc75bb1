package scheduletest

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// goldenWrites has every write with a key: see TestEveryWriteIsStoredAsBefore.
const goldenWrites = "../../core/markettest/testdata/writes.golden"

// TestEveryWriteTakesPart fails for a write of the core that no scenario has, and for one that every set-up
// refuses: it would never meet another.
func TestEveryWriteTakesPart(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile(goldenWrites)
	must(t, err)
	asked := regexp.MustCompile(`(?m)^asked \["([^"]+)"`).FindAllSubmatch(golden, -1)
	if len(asked) < 100 {
		t.Fatalf("%s has only %d writes", goldenWrites, len(asked))
	}
	for _, operation := range asked {
		if !slices.ContainsFunc(allWrites, func(w write) bool { return w.operation == string(operation[1]) }) {
			t.Errorf("no schedule has the write %q", operation[1])
		}
	}
	h := newHost(t)
	refused := map[string]string{}
	for _, setup := range setupNames() {
		for _, w := range writesIn(setup) {
			if text, is := refused[w.name]; is && text == "" {
				continue
			}
			r, err := h.serially(t.Context(), scenario{setup, []writer{{w, -1}}}, []int{0})
			must(t, err)
			refused[w.name] = r.answers[0].text
			if r.answers[0].done {
				refused[w.name] = ""
			}
		}
	}
	for _, w := range allWrites {
		if text, tried := refused[w.name]; !tried || text != "" {
			t.Errorf("%s is refused in every set-up: %q", w.name, text)
		}
	}
}
