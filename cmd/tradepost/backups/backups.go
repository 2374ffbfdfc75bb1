package backups

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/backup"
)

// backups are written into a folder, one after another, for as long as the program runs.
type backups struct {
	folder string
	every  time.Duration
	keep   int
	to     settings.BackupRecipients
	log    *slog.Logger
}

const (
	backupName = "tradepost-20060102T150405.000Z.tar.gz" // sorts by time
	backupGlob = "tradepost-*.tar.gz*"

	encryptedName = ".age" // behind the name of an encrypted backup

	// retryBackup is the pause before a failed backup is tried again, unless the next one is due before.
	retryBackup = 10 * time.Minute
)

// run ends with ctx. It logs errors and tries again: an old backup is deleted only once a newer one is whole.
func (b backups) run(ctx context.Context, dsn string) error {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return fmt.Errorf("make the folder for backups: %w", err)
	}
	for {
		wait := b.every
		path, done, err := b.once(ctx, dsn)
		if err == nil {
			b.log.Info("backed up", "file", path, "holds", summarize(done))
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			wait = min(wait, retryBackup)
			b.log.Error("no backup", "error", err, "again in", wait)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
	}
}

// once writes the next file and deletes what is older than those that are kept.
func (b backups) once(ctx context.Context, dsn string) (path string, done backup.Summary, err error) {
	path = filepath.Join(b.folder, time.Now().UTC().Format(backupName))
	if len(b.to.Recipients) > 0 {
		path += encryptedName
	}
	if done, err = writeBackup(ctx, dsn, path, b.to, b.log); err == nil {
		err = b.deleteOld()
	}
	return path, done, err
}

// MostAge limits the age of the last backup: a day, and time to make the next one.
const MostAge = 26 * time.Hour

// Newest returns when the newest backup of a folder was made; the zero time when there is none.
func Newest(folder string) (newest time.Time, err error) {
	files, err := filepath.Glob(filepath.Join(folder, backupGlob))
	if err != nil {
		return newest, fmt.Errorf("list the backups: %w", err)
	}
	for _, file := range files {
		made, err := time.Parse(backupName, strings.TrimSuffix(filepath.Base(file), encryptedName))
		if err == nil && made.After(newest) {
			newest = made
		}
	}
	return newest, nil
}

// deleteOld leaves the newest.
func (b backups) deleteOld() error {
	files, err := filepath.Glob(filepath.Join(b.folder, backupGlob))
	if err != nil {
		return fmt.Errorf("list the backups: %w", err)
	}
	slices.Sort(files)
	for _, old := range files[:max(0, len(files)-max(b.keep, 1))] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("delete an old backup: %w", err)
		}
	}
	return nil
}
