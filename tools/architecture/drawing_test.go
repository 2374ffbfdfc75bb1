package main

import (
	"slices"
	"testing"
)

const twoDrawings = "```mermaid\ngraph TD\n  bot --> core\n```\n" +
	"```mermaid\ngraph LR\n  game[\"core/game\"]\n  nouns[\"core/items<br/>core/people\"]\n  trade[\"core/trade\"]\n" +
	"  trade --> nouns\n  nouns --> game\n  game --> core\n```\n"

func TestADrawingIsComparedWithTheImports(t *testing.T) {
	t.Parallel()
	drawings := parse([]byte(twoDrawings))
	if len(drawings) != 2 {
		t.Fatalf("%d drawings", len(drawings))
	}
	right := [][2]string{
		{"bot/kernel", "core/trade"}, {"core/trade", "core/items"}, {"core/trade", "core"}, {"core/people", "core/game"},
		{"core/game", "core"}, {"core/trade", "core/people"},
	}
	for name, tt := range map[string]struct {
		imports      [][2]string
		first, inner []string
	}{
		"as drawn":            {right, nil, nil},
		"against an arrow":    {append(slices.Clone(right), [2]string{"core/items", "core/trade"}), nil, []string{"imported, but not drawn: core/items -> core/trade"}},
		"within a node":       {append(slices.Clone(right), [2]string{"core/items", "core/people"}), nil, []string{"imported, but not drawn: core/items -> core/people"}},
		"a layer upwards":     {append(slices.Clone(right), [2]string{"core/items", "bot"}), []string{"imported, but not drawn: core -> bot"}, nil},
		"a package unknown":   {append(slices.Clone(right), [2]string{"web", "core"}), []string{"no node for web or core"}, nil},
		"an import that went": {slices.Clone(right[:4]), nil, []string{"drawn, but not imported: game -> core"}},
	} {
		if got := drawings[0].compare(tt.imports); !slices.Equal(got, tt.first) {
			t.Errorf("%s: the first drawing: %q, want %q", name, got, tt.first)
		}
		if got := drawings[1].compareInner(tt.imports); !slices.Equal(got, tt.inner) {
			t.Errorf("%s: the inner drawing: %q, want %q", name, got, tt.inner)
		}
	}
	redundant := parse([]byte("```mermaid\n  a --> b & c\n  b --> c\n```"))[0]
	if got := redundant.compareInner([][2]string{{"a", "b"}, {"a", "c"}, {"b", "c"}}); !slices.Equal(got, []string{"others imply the arrow a -> c"}) {
		t.Errorf("an arrow that others imply: %q", got)
	}
}
