package pgtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"tradepost/sql/migrations"
)

// schemaName names the schema: it changes with every change to a migration or to the version of River's.
func schemaName() string {
	sum := sha256.New()
	files, _ := fs.Glob(migrations.Files, "*.sql") // embedded, so it cannot fail
	for _, name := range files {
		text, _ := fs.ReadFile(migrations.Files, name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	if migrator, err := rivermigrate.New(riverpgxv5.New(nil), nil); err == nil {
		for _, m := range migrator.AllVersions() {
			fmt.Fprintf(sum, "river %d\n%s", m.Version, m.SQLUp)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
