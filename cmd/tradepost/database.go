package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/web"
)

// server is a database to work on.
type server struct {
	dsn  string
	gone <-chan struct{} // closed when a private one is gone for good; nil for one that somebody else runs
	stop func()
}

// open returns the database, after starting a private one where none was named. The caller stops it.
func (d database) open(ctx context.Context, log *slog.Logger) (server, error) {
	if d.DatabaseURL != "" {
		return server{dsn: d.DatabaseURL, stop: func() {}}, nil
	}
	private, err := pgembed.Start(ctx, pgembed.Options{DataDir: filepath.Join(d.Data, "postgres"), Log: log})
	if err != nil {
		return server{}, err
	}
	stop := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := private.Stop(ctx); err != nil {
			log.Error("stop the private PostgreSQL", "error", err)
		}
	}
	return server{dsn: private.DSN(pgembed.DefaultDatabase), gone: private.Exited(), stop: stop}, nil
}

// openStore opens the database and brings it to this version.
func openStore(ctx context.Context, dsn string, log *slog.Logger) (*postgres.Store, error) {
	pool, err := postgres.Connect(ctx, dsn, postgres.Options{MaxConns: 2, Log: log})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	if err := postgres.Migrate(ctx, pool, log); err != nil {
		return nil, err
	}
	return postgres.Open(ctx, dsn, postgres.Options{Log: log})
}

// migrate is the command that brings the database to this version.
type migrate struct {
	database
	logging
}

// Run migrates and returns.
func (m *migrate) Run(ctx context.Context) error {
	log := m.logger()
	db, err := m.open(ctx, log)
	if err != nil {
		return err
	}
	defer db.stop()
	store, err := openStore(ctx, db.dsn, log)
	if err != nil {
		return err
	}
	store.Close()
	return nil
}

// check is the command that verifies the promises of the data.
type check struct {
	database
	logging
}

// Run prints each broken promise and returns an error when there is one.
func (c *check) Run(ctx context.Context) error {
	log := c.logger()
	db, err := c.open(ctx, log)
	if err != nil {
		return err
	}
	defer db.stop()
	store, err := postgres.Open(ctx, db.dsn, postgres.Options{Log: log})
	if err != nil {
		return err
	}
	defer store.Close()
	violations, err := store.Check(ctx)
	if err != nil {
		return err
	}
	for _, v := range violations {
		fmt.Println(v)
	}
	if len(violations) > 0 {
		return fmt.Errorf("%d promises are broken", len(violations))
	}
	fmt.Println("every promise holds")
	return nil
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

// reachable returns an address to call for one that is listened on: that of this machine where it is any.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
