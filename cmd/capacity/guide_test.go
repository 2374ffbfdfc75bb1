package main

import (
	"os"
	"strings"
	"testing"

	"tradepost/cmd/capacity/model"
)

func TestTheGuidesTablesMatchTheModel(t *testing.T) {
	costs, err := model.Committed()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := fill(string(page), tables(costs))
	if err != nil {
		t.Fatal(err)
	}
	if fresh != string(page) {
		t.Error("docs/scaling.md is stale: make generate")
	}
	// Every step has a part of the page.
	for _, s := range []model.Step{model.OneMachine, model.Programs, model.Standby, model.Pooler, model.Cache, model.Replicas, model.Distributed} {
		if !strings.Contains(strings.ToLower(fresh), "\n### "+strings.ToLower(string(s))+"\n") {
			t.Errorf("docs/scaling.md has no part for %q", s)
		}
	}
}

func TestAnAnswerNamesMachinesAndSteps(t *testing.T) {
	costs, err := model.Committed()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := answer(&said, costs, costs.Plan(model.Question{Traders: 5_000_000, Weekly: 2, Readers: 2_500_000, Weeks: 104, Survives: true})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"5,000,000 traders", "several programs, failover", "read replicas", "standbys", "direct messages wait", "the largest market that was measured"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("the answer lacks %q:\n%s", want, said.String())
		}
	}
	said.Reset()
	if err := answer(&said, costs, costs.Plan(model.Question{Traders: 300, Weekly: 1, Readers: 60, Weeks: 104})); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "one machine, 2 processors") {
		t.Errorf("%s", said.String())
	}
}

func TestAMarkerThatIsMissingIsNamed(t *testing.T) {
	if _, err := fill("nothing here", map[string]string{"mix": ""}); err == nil || !strings.Contains(err.Error(), "mix") {
		t.Errorf("%v", err)
	}
}
