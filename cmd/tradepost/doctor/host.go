package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tradepost/cmd/tradepost/backups"
	"tradepost/cmd/tradepost/disk"
	"tradepost/cmd/tradepost/settings"
	"tradepost/cmd/tradepost/version"
	"tradepost/sql/backup"
	"tradepost/sql/pgconnect"
	"tradepost/sql/schema"
)

// leastFree is the free space below which PostgreSQL and backups are about to fail, in bytes.
const leastFree = 1 << 30

// hasSpace reports whether the disk of a folder, or of its nearest existing parent, has space left.
func hasSpace(folder string, ask func(string) (disk.Space, error), figures *Figures) error {
	space, err := disk.At(folder, ask)
	if err != nil {
		return fmt.Errorf("ask for the space that is left: %w", err)
	}
	share := ""
	if space.Size > 0 {
		percent := int(space.Free * 100 / space.Size)
		figures.DiskFreePercent, share = &percent, fmt.Sprintf(", %d %% of it", percent)
	}
	switch {
	case space.Free < leastFree:
		return fmt.Errorf("the disk of %s has %d MiB left, and a market wants 1 GiB at least: "+
			"remove old backups and logs, or use a larger disk", folder, space.Free>>20)
	case space.Free < 1<<40 || share != "":
		return found(fmt.Sprintf("%d GiB are left%s", space.Free>>30, share))
	}
	return nil
}

// secretNames returns the variables of the settings that are secret.
func secretNames(model *kong.Application) (names []string) {
	for _, command := range settings.CommandsOf(model) {
		for _, flag := range command.Flags {
			if flag.Tag.Has("secret") {
				names = append(names, flag.Envs...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// filesOf returns the files that hold secrets: .env, and those that NAME_FILE names.
func filesOf(secrets []string) []string {
	files := []string{".env"}
	for _, name := range secrets {
		if path := os.Getenv(name + "_FILE"); path != "" {
			files = append(files, path)
		}
	}
	return files
}

// areSecret reports whether other users of this machine can read one of the files.
func areSecret(files []string) error {
	var open []string
	for _, path := range files {
		if othersRead(path) {
			open = append(open, path)
		}
	}
	if len(open) == 0 {
		return nil
	}
	slices.Sort(open)
	return fmt.Errorf("other users of this machine can read %s: chmod 600 %s", strings.Join(open, ", "),
		strings.Join(open, " "))
}

// othersRead reports whether others than a file's owner and group can read it: it and its folder let them.
func othersRead(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o004 == 0 {
		return false // an unreadable file is named with the settings
	}
	folder, err := os.Stat(filepath.Dir(path))
	return err == nil && folder.Mode().Perm()&0o001 != 0
}

// schemaFits reports whether this program can work with the tables in a database.
func schemaFits(ctx context.Context, address string) error {
	pool, err := pgconnect.Open(ctx, address, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database does not answer")
	}
	defer pool.Close()
	there, err := schema.Applied(ctx, pool)
	if err != nil {
		return err
	}
	newest, err := schema.Newest()
	if err != nil {
		return err
	}
	switch {
	case there == 0:
		return notNeeded("there are none yet; the first start makes them")
	case there < newest.Market:
		return found(fmt.Sprintf("version %d; the next start brings them to %d", there, newest.Market))
	case there > newest.Market:
		// Nothing is lost by the documented way back, and a restore would lose what was done since.
		return caution(fmt.Sprintf("they have version %d, and this program (%s) knows %d: "+
			"a newer release has been at work. "+
			"The release before that one works with them, too (\"Go back\" in docs/operations.md); "+
			"an older one does not: then install the newer release again",
			there, version.String(), newest.Market))
	}
	return found(fmt.Sprintf("version %d", there))
}

// backupIsRecent reports whether the market's last backup is not too old.
func backupIsRecent(ctx context.Context, db settings.Database, figures *Figures) error {
	if db.DatabaseURL == "" {
		return notNeeded("not looked at: a private PostgreSQL is for trying things out")
	}
	pool, err := pgconnect.Open(ctx, db.DatabaseURL, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database does not answer")
	}
	defer pool.Close()
	age, there, err := backup.Age(ctx, pool)
	if err == nil && there {
		seconds := int64(age / time.Second)
		figures.BackupAgeSeconds = &seconds
	}
	switch {
	case err != nil:
		return err
	case !there:
		return caution("none was made yet: sudo systemctl start tradepost-backup, " +
			"or docker compose up -d backup, or tradepost backup FILE")
	case age > backups.MostAge:
		return fmt.Errorf("the last one is %s old: look at the log of the backups "+
			"(journalctl -u tradepost-backup, or docker compose logs backup)", age.Round(time.Hour))
	}
	return found(fmt.Sprintf("the last one is %s old", age.Round(time.Minute)))
}

// backupsAreEncrypted reports whether new backups are encrypted.
func backupsAreEncrypted(r settings.BackupRecipients) error {
	keys, err := r.Parse()
	switch {
	case err != nil:
		return err
	case len(keys) == 0:
		return caution("not encrypted, and they contain e-mail addresses and offers: " +
			"set BACKUP_RECIPIENT to an age public key where they are made, and keep its identity elsewhere")
	}
	return found(fmt.Sprintf("encrypted to %d key(s)", len(keys)))
}
