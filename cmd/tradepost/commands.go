package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/web"
)

// migrate is the command that brings the database to this version.
type migrate struct {
	settings.Database
	settings.Logging
}

// Run migrates and returns.
func (m *migrate) Run(ctx context.Context) error {
	log := m.Logger()
	db, err := database.Open(ctx, m.Database, log)
	if err != nil {
		return err
	}
	defer db.Stop()
	store, _, err := db.OpenStore(ctx, log)
	if err != nil {
		return err
	}
	store.Close()
	return nil
}

func (m *migrate) Wrong() settings.WrongSettings { return m.Database.Wrong() }

// check is the command that verifies the invariants of the data.
type check struct {
	LogHead string `placeholder:"PLACE:HASH" help:"End of the log of moderation that an earlier check has printed: fail when the log does not contain it any more."`
	settings.FeatureList
	settings.Database
	settings.Logging
}

// Run prints each violated invariant and returns an error when there is one.
func (c *check) Run(ctx context.Context) error {
	log := c.Logger()
	db, err := database.Open(ctx, c.Database, log)
	if err != nil {
		return err
	}
	defer db.Stop()
	pool, err := pgconnect.Open(ctx, db.DSN, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	violations, err := invariants.Check(ctx, pool)
	if err != nil {
		return err
	}
	head, err := invariants.LogHead(ctx, pool, c.LogHead)
	if err != nil {
		return err
	}
	live, err := database.Liveness(ctx, pool, c.Database, c.FeatureList, false)
	if err != nil {
		return err
	}
	violations = append(violations, live.Violations...)
	for _, v := range violations {
		fmt.Println(v)
	}
	if len(violations) == 0 {
		fmt.Println("all invariants hold")
	}
	if !live.Owes {
		fmt.Println("I13 and I16 to I18 were not checked: " + live.OwesNothing())
	}
	if len(violations) > 0 {
		return fmt.Errorf("%d invariants are violated", len(violations))
	}
	fmt.Printf("the log of moderation ends at %s\n"+
		"Keep that elsewhere: entries that are cut off at the end show only with --log-head "+
		"and an earlier one.\n", head)
	return nil
}

func (c *check) Wrong() settings.WrongSettings {
	return slices.Concat(c.FeatureList.Wrong(), c.Database.Wrong())
}

// openAPI is the command that prints the description of the API.
type openAPI struct{}

// Run prints it.
func (*openAPI) Run() error {
	description, err := web.OpenAPI()
	if err != nil {
		return err
	}
	if !json.Valid(description) {
		return fmt.Errorf("the description is no JSON")
	}
	_, err = os.Stdout.Write(description)
	return err
}
