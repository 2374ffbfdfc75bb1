package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/program"
	"tradepost/cmd/tradepost/settings"
	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/sql/postgres"
)

// forgetCommand is the command that deletes the stored data of a user or a visitor, also of blocked ones.
type forgetCommand struct {
	DiscordID string      `name:"discord-id" xor:"who" help:"The user with this Discord ID."`
	User      core.UserID `xor:"who" help:"The user with this number on the market."`
	Visitor   string      `xor:"who" help:"Visitors who typed this name or Discord name into offers."`
	DryRun    bool        `name:"dry-run" help:"Say what would be deleted, and delete nothing."`
	settings.Database
	settings.Logging
}

func (f *forgetCommand) Wrong() settings.WrongSettings { return f.Database.Wrong() }

// Run deletes, and prints the result. The log contains no names.
func (f *forgetCommand) Run(ctx context.Context) error {
	log := f.Logger()
	db, err := database.Open(ctx, f.Database, log)
	if err != nil {
		return err
	}
	defer db.Stop()
	store, clock, err := db.OpenStore(ctx, log)
	if err != nil {
		return err
	}
	defer store.Close()
	m := market.New(store, market.Options{Now: clock.Now, Forms: program.TextForms})
	what, rows, err := f.forget(ctx, os.Stdout, m, store)
	if err == nil && !f.DryRun {
		log.Info("forgotten", "what", what, "rows", rows)
	}
	return err
}

func (f *forgetCommand) forget(
	ctx context.Context, out io.Writer, m *market.Market, store *postgres.Store,
) (what string, rows int, err error) {
	if f.Visitor != "" {
		rows, err := f.visitor(ctx, out, store)
		return "visitor", rows, err
	}
	var user people.User
	switch {
	case f.DiscordID != "":
		user, err = store.FindUser(ctx, f.DiscordID)
	case f.User != 0:
		user, err = store.User(ctx, f.User)
	default:
		return "", 0, errors.New("say who: --discord-id, --user or --visitor")
	}
	if core.KindOf(err) == core.NotFound {
		return "", 0, errors.New("there is no such user")
	}
	if err != nil {
		return "", 0, err
	}
	counts, err := store.Counts(ctx, market.CountsQuery{User: user.ID, Now: store.Now()})
	if err != nil {
		return "", 0, err
	}
	fmt.Fprintf(out, "user %d: the account, %d requests with the offers on them, offers, notices, "+
		"settings, drafts, boards and sessions\n",
		user.ID, counts.Active+counts.Expired+counts.Fulfilled+counts.Archived)
	fmt.Fprintln(out, "kept for 90 days: blocks, open reports and quota under a hash of the account; "+
		"contacts for the other sides of accepted offers")
	if f.DryRun {
		fmt.Fprintln(out, "nothing was deleted")
		return "user", 0, nil
	}
	if err := m.DeleteUser(ctx, user.ID); err != nil {
		return "", 0, err
	}
	fmt.Fprintln(out, "deleted")
	return "user", 1, forgetAnswers(ctx, out, store)
}

func (f *forgetCommand) visitor(
	ctx context.Context, out io.Writer, store *postgres.Store,
) (rows int, err error) {
	name := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(f.Visitor), "@"))
	if name == "" {
		return 0, errors.New("--visitor is empty")
	}
	done, err := store.ForgetVisitor(ctx, name, f.DryRun)
	if err != nil {
		return 0, err
	}
	for _, d := range done {
		rows += d.Rows
		if d.Rows > 0 {
			fmt.Fprintf(out, "%d %s\n", d.Rows, d.What)
		}
	}
	if rows == 0 {
		fmt.Fprintln(out, "nothing is stored about such a visitor")
	}
	if f.DryRun {
		fmt.Fprintln(out, "nothing was deleted")
		return rows, nil
	}
	return rows, forgetAnswers(ctx, out, store) // an answer may tell of an offer that is gone
}

// forgetAnswers removes what answers of the last hour say of the person. A write of that hour that
// is repeated under its key is answered with "this was done", and to load the page again.
func forgetAnswers(ctx context.Context, out io.Writer, store *postgres.Store) error {
	answers, err := store.ForgetAnswers(ctx)
	if err != nil {
		return fmt.Errorf("remove the answers kept for repeats: %w", err)
	}
	fmt.Fprintf(out, "removed %d answers kept for repeats of writes, of all users\n", answers)
	return nil
}
