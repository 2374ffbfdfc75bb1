package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"tradepost/sql/pgembed"
)

// It plays four rows of make ring, two of them with puppets that list and cross: the document has them, and the goals hold.
func TestFourteenPuppetsMoveLittleInAGrownMarket(t *testing.T) {
	t.Parallel()
	server, err := pgembed.Start(t.Context(), pgembed.Options{Temporary: true, Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(context.WithoutCancel(t.Context())) })
	played, err := playAll(t.Context(), func(ctx context.Context, name, of string) (string, error) {
		return server.DSN(name), database(ctx, server, name, of)
	}, grown(1), []attack{{puppets: 14}, {puppets: 14, edges: 9},
		{puppets: 14, crossing: true}, {puppets: 14, edges: 9, crossing: true},
		{puppets: 14, edges: 9, crossing: true, planning: true}})
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../../docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range played {
		if o.without.odds < 0 || o.shown.odds < 0 || o.shown.messaged == 0 || o.without.prices[10] == nil {
			t.Errorf("nothing could be moved: %+v and %+v", o.without, o.shown)
		}
		if (o.shown.crossed > 0) != o.crossing {
			t.Errorf("%d puppets made %d crossed trades: %+v", o.puppets, o.shown.crossed, o.attack)
		}
		if !strings.Contains(string(document), row(o)) {
			t.Errorf("docs/threat-model.md has not the row that make ring prints:\n%s%s", header, row(o))
		}
		for _, f := range figuresOf(o) {
			if got := f.of(o); got >= f.from {
				t.Errorf("%d puppets behind %d honest trades: %s is %d, want less than %d", o.puppets, o.edges, f.name, got, f.from)
			}
		}
	}
}
