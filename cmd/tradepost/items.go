package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/program"
	"tradepost/cmd/tradepost/settings"
	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/market"
)

// itemsCommand groups the commands of the catalogue.
type itemsCommand struct {
	Import importItems `cmd:"" help:"Make a CSV file the catalogue: columns by header, name at least. Items that it no longer has are marked as gone."`
}

// importItems is the command that imports a file of items.
type importItems struct {
	File   string `arg:"" help:"File to read, or - for standard input."`
	DryRun bool   `help:"Say what would change and change nothing."`
	settings.GameFile
	settings.Database
	settings.Logging
}

func (i *importItems) Wrong() settings.WrongSettings {
	return slices.Concat(i.GameFile.Wrong(), i.Database.Wrong())
}

// Run imports the file, into a market that may be running.
func (i *importItems) Run(ctx context.Context) error {
	data, err := readFile(i.File)
	if err != nil {
		return err
	}
	rows, err := items.ReadRows(data, program.TextForms)
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	played, err := i.GameFile.Load()
	if err != nil {
		return err
	}
	log := i.Logger()
	db, err := database.Open(ctx, i.Database, log)
	if err != nil {
		return err
	}
	defer db.Stop()
	store, clock, err := db.OpenStore(ctx, log)
	if err != nil {
		return err
	}
	defer store.Close()
	market := market.New(store, market.Options{Now: clock.Now, Game: played, Forms: program.TextForms,
		Features: core.AllFeatures()})
	done, err := market.Items.Import(ctx, rows, i.DryRun)
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
