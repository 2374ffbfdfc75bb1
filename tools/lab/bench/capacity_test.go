package main

import (
	"maps"
	"slices"
	"testing"

	"tradepost/cmd/capacity/model"
)

func TestEveryKindOfTheModelIsMeasuredAndEveryMeasuredKindIsInTheModel(t *testing.T) {
	kinds := slices.Sorted(slices.Values(model.Kinds))
	if got := slices.Sorted(maps.Keys(modelParts)); !slices.Equal(got, kinds) {
		t.Errorf("measured are %q, the model has %q", got, kinds)
	}
	// Commands and messages are Discord's.
	asked := append(slices.Collect(maps.Keys(asksFor)), model.Command, model.Message)
	if slices.Sort(asked); !slices.Equal(asked, kinds) {
		t.Errorf("the bench asks for %q, the model has %q", asked, kinds)
	}
	for kind, p := range modelParts {
		mixed := slices.ContainsFunc(p.usage.mix, func(s model.Share) bool { return s.Kind == kind })
		if !mixed && !(kind == model.Command && p.usage.commands > 0) && !(kind == model.Message && p.usage.messages > 0) {
			t.Errorf("%q is measured by something else", kind)
		}
	}
}
