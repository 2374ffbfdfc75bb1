package backups

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/backup"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
)

// Verify is the command that proves a backup: it restores it into a database of its own, which it removes
// in the end.
type Verify struct {
	File     string `arg:"" help:"File to read, or - for standard input."`
	Identity string `type:"existingfile" env:"BACKUP_IDENTITY" placeholder:"FILE" help:"File with the age identity that an encrypted backup is read with, as age-keygen writes it."`
	Scratch  string `name:"scratch-url" env:"SCRATCH_URL" secret:"" placeholder:"postgres://..." help:"An empty database to restore into. If unset, one is created beside the market's and dropped."`
	settings.Database
	settings.Logging
}

// Wrong returns the errors in the settings.
func (v *Verify) Wrong() settings.WrongSettings {
	wrong := v.Database.Wrong()
	if v.Scratch != "" {
		if err := pgconnect.CheckURL(v.Scratch); err != nil {
			wrong.Add("SCRATCH_URL", "%s", err)
		}
	}
	return wrong
}

// Run restores the file into a scratch database and checks the invariants there.
func (v *Verify) Run(ctx context.Context) error {
	content, err := openBackup(v.File, v.Identity)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	defer content.Close()
	log := v.Logger()
	dsn, remove, err := v.scratch(ctx, log)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	err = v.check(ctx, dsn, content, log)
	return errors.Join(err, remove())
}

func (v *Verify) check(ctx context.Context, dsn string, content *backupFile, log *slog.Logger) error {
	meter, stop := reportProgress(log, "backup: still being verified")
	defer stop()
	done, err := backup.Restore(ctx, dsn, content,
		backup.RestoreOptions{OnlyVerify: true, Log: log, Meter: meter})
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	fmt.Fprintf(os.Stdout, "a good backup as of %s: restored elsewhere, all invariants hold: %s\n"+
		"the log of moderation ends at %s\n",
		done.Made.Format(time.RFC3339), summarize(done), done.LogHead)
	return nil
}

// scratch returns a database to restore into, and a function that removes it.
func (v *Verify) scratch(ctx context.Context, log *slog.Logger) (dsn string, remove func() error, err error) {
	switch {
	case v.Scratch != "":
		return v.Scratch, func() error { return nil }, nil
	case v.DatabaseURL == "":
		return v.privateScratch(ctx, log)
	}
	beside := database.Server{DSN: v.DatabaseURL, Own: v.OwnerURL}.Owner()
	conn, err := pgx.Connect(ctx, beside)
	if err != nil {
		return "", nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	name := "tradepost_verify_" + strings.ToLower(rand.Text())
	_, err = conn.Exec(ctx, "create database "+name)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == database.InsufficientPrivilege {
		return "", nil, errors.New("the role of the database may not create another one: " +
			"name an empty database in SCRATCH_URL, or let it (alter role ... createdb)")
	}
	if err != nil {
		return "", nil, fmt.Errorf("create a scratch database: %w", err)
	}
	return databaseAt(beside, name), func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		conn, err := pgx.Connect(ctx, beside)
		if err != nil {
			return fmt.Errorf("drop the database %s yourself: %w", name, err)
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, "drop database "+name+" with (force)"); err != nil {
			return fmt.Errorf("drop the database %s yourself: %w", name, err)
		}
		return nil
	}, nil
}

// privateScratch starts a private PostgreSQL of its own, where the market has one, too.
func (v *Verify) privateScratch(
	ctx context.Context, log *slog.Logger,
) (dsn string, remove func() error, err error) {
	folder, err := os.MkdirTemp("", "tradepost-verify-")
	if err != nil {
		return "", nil, err
	}
	private, err := pgembed.Start(ctx, pgembed.Options{DataDir: filepath.Join(folder, "postgres"),
		BinDir: v.BinDir, Log: log})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(folder))
	}
	return private.DSN(pgembed.DefaultDatabase), func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return errors.Join(private.Stop(ctx), os.RemoveAll(folder))
	}, nil
}

// databaseAt is the address of another database on the same server.
func databaseAt(dsn, name string) string {
	if address, err := url.Parse(dsn); err == nil && address.Scheme != "" {
		address.Path = "/" + name
		query := address.Query()
		query.Del("dbname")
		query.Del("database")
		address.RawQuery = query.Encode()
		return address.String()
	}
	return dsn + " dbname=" + name // the last one counts
}

// backupFile is an open backup, decrypted.
type backupFile struct {
	io.Reader
	file *os.File
}

// Close closes the file.
func (f *backupFile) Close() error { return f.file.Close() }

func openBackup(path, identity string) (*backupFile, error) {
	in := os.Stdin
	if path != "-" {
		var err error
		if in, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	content, err := decrypted(bufio.NewReaderSize(in, 1<<16), identity)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &backupFile{content, in}, nil
}
