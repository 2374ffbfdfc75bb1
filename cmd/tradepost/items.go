package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"tradepost/core"
)

// itemsCommand groups the commands of the catalogue.
type itemsCommand struct {
	Import importItems `cmd:"" help:"Make a CSV file the catalogue: columns by header, name at least. Items that it no longer has are marked as gone."`
}

// importItems is the command that imports a file of items.
type importItems struct {
	File   string `arg:"" help:"File to read, or - for standard input."`
	DryRun bool   `help:"Say what would change and change nothing."`
	game
	database
	logging
}

func (i *importItems) wrong() wrongSettings { return slices.Concat(i.game.wrong(), i.database.wrong()) }

// Run imports the file, into a market that may be running.
func (i *importItems) Run(ctx context.Context) error {
	data, err := readFile(i.File)
	if err != nil {
		return err
	}
	rows, err := core.ReadItems(data, textForms)
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	played, err := i.game.load()
	if err != nil {
		return err
	}
	log := i.logger()
	db, err := openDatabase(ctx, i.database, log)
	if err != nil {
		return err
	}
	defer db.stop()
	store, clock, err := db.openStore(ctx, log)
	if err != nil {
		return err
	}
	defer store.Close()
	market := core.New(store, core.Options{Now: clock.Now, Game: played, Forms: textForms, Features: core.AllFeatures()})
	done, err := market.ImportItems(ctx, rows, i.DryRun)
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	verb := "imported"
	if i.DryRun {
		verb = "would import"
	}
	fmt.Printf("%s %d items: %d new, %d renamed, %d changed, %d back, %d gone, %d unchanged\n",
		verb, len(rows), done.Added, done.Renamed, done.Updated, done.Back, done.Gone, done.Unchanged)
	return nil
}

func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

// seedTime is how long a market that starts waits for its items.
const seedTime = 10 * time.Second

// seedItems imports the items that come along. A market without them works.
func (m *market) seedItems(ctx context.Context, rules *core.Market) {
	ctx, cancel := context.WithTimeout(ctx, seedTime)
	defer cancel()
	added, err := rules.SeedItems(ctx)
	switch {
	case err != nil:
		m.log.Warn("items: not imported", "error", err)
	case added > 0:
		m.log.Info("items: imported", "added", added)
	}
}
