package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"tradepost/sql/pgtest"
)

func TestABackupIsEncryptedToAKeyAndRestoredWithItsIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	identity := func(name string) (file, recipient string) {
		t.Helper()
		key, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("# created for the test\n"+key.String()+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file, key.Recipient().String()
	}
	mine, recipient := identity("mine")
	wrong, _ := identity("another")
	from, to := pgtest.New(t), pgtest.Empty(t)
	file := filepath.Join(dir, "market.tar.gz.age")

	run := func(env []string, args ...string) (int, string) {
		t.Helper()
		return attempt(t, dir, env, args...)
	}
	if status, out := run([]string{"DATABASE_URL=" + from, "BACKUP_RECIPIENT=" + recipient}, "backup", file); status != 0 {
		t.Fatalf("back up: status %d, %s", status, out)
	}
	stored, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(stored, []byte("age-encryption.org/v1\n")) {
		t.Fatalf("the backup begins with %.30q, %v", stored, err)
	}
	cut := filepath.Join(dir, "cut")
	if err := os.WriteFile(cut, stored[:len(stored)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"without an identity":    {[]string{file}, "the backup is encrypted: name the file"},
		"with another's":         {[]string{"--identity", wrong, file}, "encrypted to another key"},
		"with no identity in it": {[]string{"--identity", file, file}, "holds no age identity"},
		"cut off":                {[]string{"--identity", mine, cut}, "nothing was changed"},
	} {
		if status, out := run([]string{"DATABASE_URL=" + to}, append([]string{"restore"}, tt.args...)...); status == 0 || !strings.Contains(out, tt.want) {
			t.Errorf("%s: status %d, %s", name, status, out)
		}
	}
	streamed, said, err := tradepost(t, nil, "backup", "--database-url", from, "--backup-recipient", recipient, "-")
	if err != nil || !bytes.HasPrefix(streamed, []byte("age-encryption.org/v1\n")) {
		t.Errorf("back up to a pipe: %v, said %q", err, said)
	}
	if _, said, err := tradepost(t, streamed, "restore", "--database-url", to, "--identity", mine, "-"); err != nil || !strings.Contains(said, "all invariants hold") {
		t.Errorf("restore from a pipe: %v, said %q", err, said)
	}

	folder := filepath.Join(dir, "backups")
	d := pgtest.New(t)
	if status, out := run([]string{"DATABASE_URL=" + d, "BACKUP_RECIPIENT=age1nonsense"}, "backup", folder); status != 80 || !strings.Contains(out, "BACKUP_RECIPIENT: ") {
		t.Errorf("a recipient that is none: status %d, %s", status, out)
	}
	if status, out := run([]string{"DATABASE_URL=" + d, "BACKUP_RECIPIENT=AGE-SECRET-KEY-1QQ"}, "backup", folder); status != 80 || !strings.Contains(out, "which is secret") || strings.Contains(out, "1QQ") {
		t.Errorf("an identity as recipient: status %d, %s", status, out)
	}
	if _, out := run([]string{"DATABASE_URL=" + d}, "doctor"); !strings.Contains(out, "! backups: not encrypted") {
		t.Errorf("the doctor says nothing of backups: %s", out)
	}
	if _, out := run([]string{"DATABASE_URL=" + d, "BACKUP_RECIPIENT=" + recipient}, "doctor"); !strings.Contains(out, "✓ backups: encrypted to 1 key") {
		t.Errorf("the doctor says of encrypted backups: %s", out)
	}
}
