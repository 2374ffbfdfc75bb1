package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"tradepost/cmd/tradepost/program"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

func TestForgetDeletesAlsoABlockedUser(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store, err := postgres.Open(ctx, pgtest.New(t), postgres.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	market := market.New(store, market.Options{Forms: program.TextForms})
	user, err := market.People.SignIn(ctx, people.Profile{DiscordID: "4711", Username: "foxglove", DisplayName: "Foxglove"})
	if err != nil {
		t.Fatal(err)
	}
	actor := user.Actor()
	actor.Key = "post"
	if _, err := market.Trade.PostOrder(ctx, actor, coretest.OrderDraft()); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Pool().Exec(ctx, "update users set blocked_at = now(), blocked_for = 'flooding'"); err != nil {
		t.Fatal(err)
	}
	run := func(f forgetCommand) (string, error) {
		var out bytes.Buffer
		_, _, err := f.forget(ctx, &out, market, store)
		if strings.Contains(strings.ToLower(out.String()), "foxglove") {
			t.Errorf("it names who is forgotten: %s", out.String())
		}
		return out.String(), err
	}
	if said, err := run(forgetCommand{DiscordID: "4711", DryRun: true}); err != nil || !strings.Contains(said, "1 requests") || !strings.Contains(said, "nothing was deleted") {
		t.Errorf("a dry run says %q, %v", said, err)
	}
	if _, err := market.People.User(ctx, user.ID); err != nil {
		t.Fatalf("after the dry run: %v", err)
	}
	if said, err := run(forgetCommand{User: user.ID}); err != nil || !strings.HasSuffix(said, "deleted\nremoved 1 answers kept for repeats of writes, of all users\n") {
		t.Errorf("it says %q, %v", said, err)
	}
	var kept int
	if err := store.Pool().QueryRow(ctx, "select count(*) from claims where answer <> ''").Scan(&kept); err != nil || kept > 0 {
		t.Errorf("%d answers are kept, %v", kept, err)
	}
	if _, err := market.People.User(ctx, user.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("the user is still there: %v", err)
	}
	if _, err := run(forgetCommand{DiscordID: "4711"}); err == nil {
		t.Error("a user who is not there is forgotten")
	}
	if said, err := run(forgetCommand{Visitor: "@Nobody"}); err != nil || !strings.Contains(said, "nothing is stored") {
		t.Errorf("of an unknown visitor it says %q, %v", said, err)
	}
}
