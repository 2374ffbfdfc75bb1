// Package backups has the commands that write, verify and restore backups.
package backups

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/backup"
	"tradepost/sql/progress"
)

// Commands are the commands about backups.
type Commands struct {
	Write  Write  `cmd:"" default:"withargs" help:"Back up the market to a file while it runs."`
	Verify Verify `cmd:"" help:"Prove a backup: restore it into a scratch database and check the invariants there."`
}

// Write is the command that writes the whole market into a file.
type Write struct {
	File  string        `arg:"" help:"File to write, or - for standard output. A folder gets one with the time in its name."`
	Every time.Duration `env:"BACKUP_EVERY" help:"Keep running and write a file to the folder now and at this interval, such as 24h."`
	Keep  int           `env:"BACKUP_KEEP" default:"14" min:"1" help:"In a folder: the number of backups to keep. Older ones are deleted."`
	settings.BackupRecipients
	settings.Database
	settings.Logging
}

// Run writes the file, under another name until it is whole.
func (b *Write) Run(ctx context.Context) error {
	if b.DatabaseURL == "" {
		// To start a private database where none was would back up nothing.
		if _, err := os.Stat(filepath.Join(b.Data, "postgres")); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("no market is kept in %s: name its folder with --data, "+
				"or its database with DATABASE_URL", b.Data)
		}
	}
	log := b.Logger()
	return withDatabase(ctx, b.Database, log, func(dsn string) error {
		into := backups{folder: b.File, every: b.Every, keep: b.Keep, to: b.BackupRecipients, log: log}
		if b.Every > 0 {
			return into.run(ctx, dsn)
		}
		write := func() (backup.Summary,
			error) {
			return writeBackup(ctx, dsn, b.File, b.BackupRecipients, log)
		}
		if isFolder(b.File) {
			write = func() (backup.Summary, error) {
				if err := os.MkdirAll(b.File, 0o700); err != nil {
					return backup.Summary{}, fmt.Errorf("make the folder for backups: %w", err)
				}
				_, done, err := into.once(ctx, dsn)
				return done, err
			}
		}
		done, err := write()
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "backed up as of %s: %s\n", done.Made.Format(time.RFC3339), summarize(done))
		return nil
	})
}

// isFolder reports whether a path names a folder: an existing one, or a path with a slash at its end.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || strings.HasSuffix(path, "/")
}

// Wrong returns the errors in the settings.
func (b *Write) Wrong() settings.WrongSettings {
	return slices.Concat(b.Database.Wrong(), b.BackupRecipients.Wrong())
}

func writeBackup(
	ctx context.Context, dsn, path string, to settings.BackupRecipients, log *slog.Logger,
) (done backup.Summary, err error) {
	meter, stop := reportProgress(log, "backup: still being written")
	defer stop()
	write, err := encrypting(to, func(w io.Writer) (err error) {
		done, err = backup.Write(ctx, dsn, w, meter)
		return err
	})
	if err == nil {
		err = writeWhole(path, write)
	}
	if err != nil {
		return done, fmt.Errorf("back up: %w", err)
	}
	if err := backup.RecordLast(ctx, dsn, done.Made); err != nil {
		log.Warn("backup: written, but its age is not recorded", "error", err)
	}
	return done, nil
}

// reportProgress logs every now and then how far something is, until stop is called.
func reportProgress(log *slog.Logger, what string) (meter *progress.Meter, stop func()) {
	return progress.Start(func(r progress.Report) {
		log.Info(what, "step", r.Step, "mib", r.Bytes>>20, "elapsed", r.Elapsed)
	})
}

// Restore is the command that puts a backup into a database.
type Restore struct {
	File     string `arg:"" help:"File to read, or - for standard input."`
	Identity string `type:"existingfile" env:"BACKUP_IDENTITY" placeholder:"FILE" help:"File with the age identity that an encrypted backup is read with, as age-keygen writes it."`
	Replace  bool   `help:"Replace the market in the database. Its data is deleted."`
	settings.Database
	settings.Logging
}

// Wrong returns the errors in the settings.
func (r *Restore) Wrong() settings.WrongSettings { return r.Database.Wrong() }

// Run restores the file. A market must not be running on the database.
func (r *Restore) Run(ctx context.Context) error {
	content, err := openBackup(r.File, r.Identity)
	if err != nil {
		return fmt.Errorf("restore: %w; nothing was changed", err)
	}
	defer content.Close()
	log := r.Logger()
	return withServer(ctx, r.Database, log, func(db database.Server) error {
		meter, stop := reportProgress(log, "restore: still at it")
		defer stop()
		done, err := backup.Restore(ctx, db.Owner(), content,
			backup.RestoreOptions{Replace: r.Replace, Log: log, Meter: meter})
		switch {
		case errors.Is(err, backup.ErrHoldsAMarket):
			return fmt.Errorf("restore: %w: --replace puts the backup in its place, "+
				"and that market is lost", err)
		case err != nil:
			return fmt.Errorf("restore: %w; nothing was changed", err)
		}
		if err := db.Grant(ctx); err != nil {
			return fmt.Errorf("restored, but: %w; tradepost migrate tries again", err)
		}
		fmt.Fprintf(os.Stderr, "restored as of %s, and all invariants hold: %s\n",
			done.Made.Format(time.RFC3339), summarize(done))
		return nil
	})
}

// withDatabase opens the database for do.
func withDatabase(
	ctx context.Context, d settings.Database, log *slog.Logger, do func(dsn string) error,
) error {
	return withServer(ctx, d, log, func(db database.Server) error { return do(db.DSN) })
}

func withServer(
	ctx context.Context, d settings.Database, log *slog.Logger, do func(database.Server) error,
) error {
	db, err := database.Open(ctx, d, log)
	if err != nil {
		return err
	}
	defer db.Stop()
	return do(db)
}

// summarize lists the contents of a backup.
func summarize(s backup.Summary) string {
	return fmt.Sprintf("%d requests, %d offers, %d sales, %d notices, %d users",
		s.Rows["orders"], s.Rows["offers"], s.Rows["order_updates"], s.Rows["notices"], s.Rows["users"])
}

// writeWhole has a file written that appears under its name only once it is whole and on the disk. It is
// for its owner's eyes only.
func writeWhole(path string, write func(io.Writer) error) error {
	if path == "-" {
		if settings.IsTerminal(os.Stdout) {
			return errors.New("a backup is nothing to read: send it into a file or a pipe")
		}
		return write(os.Stdout)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	if err := errors.Join(writeOut(file, write), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

func writeOut(file *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

// syncFolder makes a new name in it last through a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
