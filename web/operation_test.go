package web_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"tradepost/web"
	"tradepost/web/operating"
)

func TestOnlyOperatorsReadOfTheMachine(t *testing.T) {
	t.Parallel()
	var looked atomic.Int32
	b := openBoard(t, func(opts *web.Options) {
		examine := opts.Examine
		opts.Examine = func(ctx context.Context) operating.Machine {
			looked.Add(1)
			return examine(ctx)
		}
	})
	b.visitor.get("/api/operation").wantsProblem(http.StatusUnauthorized)
	if p := b.maple.get("/api/operation").wantsProblem(http.StatusForbidden); p.Code != "operator_only" && p.Detail != "Only an operator of this market can read that" {
		t.Errorf("refused with %q", p.Detail)
	}
	if looked.Load() != 0 {
		t.Error("the machine was looked at for people who may not read of it")
	}
	for range 2 { // the second within a minute
		machine := b.mod.get("/api/operation").json()
		checks, _ := machine["checks"].([]any)
		if figures, _ := machine["figures"].(object); len(checks) != 1 || figures["diskFreePercent"] != 60.0 || figures["backupAgeSeconds"] != nil {
			t.Errorf("an operator reads %v", machine)
		}
	}
	if n := looked.Load(); n != 1 {
		t.Errorf("the machine was looked at %d times within a minute", n)
	}
	for name, by := range map[string]*browser{"maple": b.maple, moderator: b.mod} {
		if me := by.get("/api/me").json()["user"].(object); (me["operator"] == true) != (name == moderator) {
			t.Errorf("%s reads %v", name, me)
		}
	}
}

// Without OPERATORS nobody reads of the machine, and nothing is different for anyone.
func TestWithoutOperatorsNobodyReadsOfTheMachine(t *testing.T) {
	t.Parallel()
	b := openBoard(t, func(opts *web.Options) { opts.Operators = nil })
	b.mod.get("/api/operation").wantsProblem(http.StatusForbidden)
	if me := b.mod.get("/api/me").json()["user"].(object); me["operator"] != nil {
		t.Errorf("a moderator reads %v", me)
	}
}
