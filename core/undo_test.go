package core_test

import (
	"testing"
	"time"

	"tradepost/core"
)

func TestAnActIsUndoneByItsUserOnceInTimeAndBeforeAnotherActs(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	maple, rowan := core.Actor{UserID: 1}, core.Actor{UserID: 2}
	acted := core.NewError(core.Conflict, core.Text{Plain: "The offer has changed since"})
	act := func(change func(*core.Undo)) core.Undo {
		u := core.Undo{By: func(by core.Actor) error { return by.MustBe(maple.UserID) }, Until: now.Add(time.Microsecond)}
		change(&u)
		return u
	}
	gone := core.Text{Plain: "It is too old"}
	for name, tt := range map[string]struct {
		undo core.Undo
		by   core.Actor
		kind core.ErrorKind
		says string
	}{
		"by its user until the last moment": {act(func(*core.Undo) {}), maple, 0, ""},
		"by another user":                   {act(func(u *core.Undo) { u.Done = true }), rowan, core.Forbidden, "Only the buyer can do that"},
		"by a visitor":                      {act(func(*core.Undo) {}), core.Actor{}, core.Unauthenticated, "Sign in with Discord to do that"},
		"a second time":                     {act(func(u *core.Undo) { u.Done, u.Until = true, now }), maple, core.Conflict, "This was undone already"},
		"once it is too late":               {act(func(u *core.Undo) { u.Until, u.Acted = now, acted }), maple, core.Conflict, "This can only be undone within 10 minutes"},
		"after another has acted":           {act(func(u *core.Undo) { u.Acted = acted }), maple, core.Conflict, "The offer has changed since"},
		"without an end":                    {act(func(u *core.Undo) { u.Until = time.Time{} }), maple, 0, ""},
		"a second time, with its own words": {act(func(u *core.Undo) { u.Done, u.Gone = true, gone }), maple, core.Conflict, "It is too old"},
		"too late, with its own words":      {act(func(u *core.Undo) { u.Until, u.Gone = now, gone }), maple, core.Conflict, "It is too old"},
	} {
		err := tt.undo.May(tt.by, now)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if core.KindOf(err) != tt.kind || said != tt.says {
			t.Errorf("%s: %v", name, err)
		}
	}
}
