package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tradepost/sql/pgtest"
)

// What the documents say of pgBackRest brings a market back to a moment: what was there then is there, and what was deleted later, too.
func TestPgBackRestBringsAMarketBackToAMoment(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pgbackrest"); err != nil {
		t.Skip("pgbackrest is not installed")
	}
	bin := os.Getenv("PG_BIN_DIR")
	if bin == "" {
		bin = pgtest.Installed()
	}
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin"); len(found) > 0 {
		bin = found[len(found)-1]
	}
	if _, err := os.Stat(filepath.Join(bin, "initdb")); err != nil {
		t.Skip("no PostgreSQL with initdb is installed")
	}
	folder, err := os.MkdirTemp("", "tradepost-moment")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	// PostgreSQL does not run as root.
	var as *syscall.Credential
	if os.Getuid() == 0 {
		as = &syscall.Credential{Uid: 65534, Gid: 65534}
		if err := os.Chown(folder, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	replaced := strings.NewReplacer("/var/lib/pgbackrest", folder+"/repo", "/var/lib/postgresql/15/main", folder+"/data",
		"pgbackrest --", "pgbackrest --config="+folder+"/pgbackrest.conf --")
	for _, name := range []string{"pgbackrest.conf", "pgbackrest.postgresql.conf"} {
		text, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		content := replaced.Replace(string(text))
		if name == "pgbackrest.conf" {
			content = strings.Replace(content, "[market]", "log-path="+folder+"\nlock-path="+folder+"\nspool-path="+folder+"\nlog-level-file=off\n\n[market]\npg1-socket-path="+folder+"\npg1-database=postgres\npg1-user=market", 1)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf(`set -euo pipefail
cd %[1]s; PATH=%[2]s:$PATH
rest() { pgbackrest --config=%[1]s/pgbackrest.conf --stanza=market "$@"; }
sql() { psql -h %[1]s -U market -d postgres -qAtX -v ON_ERROR_STOP=1 -c "$1"; }
start() { pg_ctl -D data -l server.log -w -t 60 -o "-k %[1]s -c listen_addresses=''" start > /dev/null || { cat server.log; exit 1; }; }
mkdir repo; initdb -D data -U market -A trust > /dev/null
cat pgbackrest.postgresql.conf >> data/postgresql.conf
start
rest stanza-create; rest check; rest backup --type=full
sql "create table orders (item text)"; sql "insert into orders values ('iron')"
moment=$(sql "select clock_timestamp()")
sql "drop table orders"; sql "select pg_switch_wal()" > /dev/null
pg_ctl -D data -w -m fast stop > /dev/null
rest --delta --type=time --target="$moment" --target-action=promote restore
start
sql "select item from orders"
pg_ctl -D data -w -m fast stop > /dev/null
`, folder, bin)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir = folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "LANG=C.UTF-8", "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	out, err := cmd.CombinedOutput()
	if lines := strings.Fields(string(out)); err != nil || len(lines) == 0 || lines[len(lines)-1] != "iron" {
		t.Errorf("%v\n%s", err, out)
	}
}
