//go:build unix

package pgembed_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tradepost/sql/pgembed"
)

func TestAServerFromNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	server := start(t, pgembed.Options{DataDir: dir, Database: "market day"})

	if got := query[string](t, server.DSN(""), "select current_database()"); got != "market day" {
		t.Errorf("connected to %q", got)
	}
	if got := query[string](t, server.DSN("postgres"), "show listen_addresses"); got != "" {
		t.Errorf("listens on %q, but only the socket should be open", got)
	}
	if got := query[string](t, server.DSN(""), "show server_version"); !strings.HasPrefix(got, server.Version()) || server.Version() == "" {
		t.Errorf("version %q, the server says %q", server.Version(), got)
	}
	for _, private := range []string{socketDir(server.DSN("")), filepath.Join(dir, "pg"+strings.Split(server.Version(), ".")[0])} {
		info, err := os.Stat(private)
		must(t, err)
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s can be entered by others: %v", private, info.Mode())
		}
	}

	must(t, server.Stop(t.Context()))
	<-server.Exited()
	if exists(socketDir(server.DSN(""))) {
		t.Error("the socket's folder is still there")
	}
	if err := server.Err(); err != nil {
		t.Errorf("stopped in order, but Err = %v", err)
	}
}

func TestASecondStartKeepsTheDataAndTheAddress(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	first := start(t, pgembed.Options{DataDir: dir})
	execute(t, first.DSN(""), "create table kept as select 7 as n")
	must(t, first.Stop(t.Context()))

	second := start(t, pgembed.Options{DataDir: dir})
	if got := query[int](t, second.DSN(""), "select n from kept"); got != 7 {
		t.Errorf("n = %d", got)
	}
	if first.DSN("") != second.DSN("") {
		t.Errorf("address changed from %s to %s", first.DSN(""), second.DSN(""))
	}
}

func TestSurroundingsDoNotChangeTheAddress(t *testing.T) {
	t.Setenv("PGPORT", "1")
	t.Setenv("PGHOST", "/nowhere")
	t.Setenv("PGUSER", "another")
	t.Setenv("PGDATABASE", "elsewhere")
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	if got := query[string](t, server.DSN(""), "select current_user||' in '||current_database()"); got != "tradepost in tradepost" {
		t.Errorf("connected as %s", got)
	}
}

func TestNothingIsLeftOfATemporaryServer(t *testing.T) {
	t.Parallel()
	base := openDir(t)
	server := start(t, pgembed.Options{DataDir: base, Temporary: true, Fast: true})
	must(t, server.Stop(t.Context()))
	if left, _ := os.ReadDir(base); len(left) > 0 || exists(socketDir(server.DSN(""))) {
		t.Errorf("left behind: %v", left)
	}
}

func TestAKilledParentTakesItsServerAlong(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	p := startParent(t, dir)
	p.kill()
	took := within(t, patience, "the server of a killed parent ends", func() bool { return !alive(p.server) })
	t.Logf("gone after %v", took)

	server := start(t, pgembed.Options{DataDir: dir})
	if got := query[string](t, server.DSN(""), "select what from kept"); got != "from the parent" {
		t.Errorf("kept %q", got)
	}
	if server.DSN("") != p.dsn {
		t.Errorf("address changed from %s to %s", p.dsn, server.DSN(""))
	}
}

func TestAStartRightAfterTheParentIsKilledHasAllData(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	for range 3 {
		p := startParent(t, dir)
		p.kill()
		server := start(t, pgembed.Options{DataDir: dir})
		if server.PID() == p.server {
			t.Error("attached to a server that is about to end")
		}
		must(t, server.Stop(t.Context()))
	}
	server := start(t, pgembed.Options{DataDir: dir})
	if got := query[int](t, server.DSN(""), "select count(*) from kept"); got != 3 {
		t.Errorf("%d of 3 rows are there", got)
	}
}

func TestATemporaryServerEndsWithItsParent(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*parent){
		"killed":   (*parent).kill,
		"panicked": func(p *parent) { _, _ = p.stdin.Write([]byte("panic\n")); _ = p.cmd.Wait() },
		"returned": func(p *parent) { _, _ = p.stdin.Write([]byte("\n")); _ = p.cmd.Wait() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := openDir(t)
			p := startParent(t, base, temporaryParent)
			end(p)
			within(t, patience, "the server ends", func() bool { return !alive(p.server) })
			within(t, patience, "its folders are removed", func() bool {
				left, _ := os.ReadDir(base)
				return len(left) == 0 && !exists(socketDir(p.dsn))
			})
		})
	}
}

func TestASecondProcessAttaches(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	p := startParent(t, dir)

	second := start(t, pgembed.Options{DataDir: dir})
	if !second.Attached() || second.PID() != p.server || second.DSN("") != p.dsn {
		t.Fatalf("attached = %v to %d by %s, want %d by %s", second.Attached(), second.PID(), second.DSN(""), p.server, p.dsn)
	}
	must(t, second.Stop(t.Context()))
	if !alive(p.server) {
		t.Error("letting go of the server has ended it")
	}

	third := start(t, pgembed.Options{DataDir: dir})
	p.kill()
	within(t, patience, "who was attached takes over", func() bool { return third.PID() != 0 && !third.Attached() && third.PID() != p.server })
	if got := query[string](t, third.DSN(""), "select what from kept"); got != "from the parent" {
		t.Errorf("kept %q", got)
	}
	if third.DSN("") != p.dsn {
		t.Errorf("address changed from %s to %s", p.dsn, third.DSN(""))
	}
}

func TestManyStartsAtOnceShareOneServer(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	var all sync.WaitGroup
	pids := make([]int, 4)
	for i := range pids {
		all.Go(func() {
			server, err := pgembed.Start(t.Context(), pgembed.Options{SearchFrom: here, DataDir: dir, Fast: true})
			if err != nil {
				t.Error(err)
				return
			}
			pids[i] = server.PID()
			t.Cleanup(func() { _ = server.Stop(context.Background()) })
		})
	}
	all.Wait()
	for _, pid := range pids {
		if pid == 0 || pid != pids[0] {
			t.Fatalf("servers %v", pids)
		}
	}
}

func TestFilesOfACrashAreRemoved(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	server := start(t, pgembed.Options{DataDir: dir})
	execute(t, server.DSN(""), "create table kept as select 7 as n")
	must(t, server.Stop(t.Context()))
	cluster, err := filepath.Glob(filepath.Join(dir, "pg*"))
	must(t, err)

	// A process ID that was reused by a living process: ours.
	pid := strconv.Itoa(os.Getpid())
	note := strings.Join([]string{pid, cluster[0], "1700000000", "5432", socketDir(server.DSN("")), "", "", "ready   ", ""}, "\n")
	must(t, os.WriteFile(filepath.Join(cluster[0], "postmaster.pid"), []byte(note), 0o600))

	again := start(t, pgembed.Options{DataDir: dir})
	if got := query[int](t, again.DSN(""), "select n from kept"); got != 7 {
		t.Errorf("n = %d", got)
	}
}

func TestUnfinishedClusterIsRecreated(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	for _, major := range []string{"15", "16", "17", "18"} {
		draft := filepath.Join(dir, "pg"+major+".new")
		must(t, os.Mkdir(draft, 0o700))
		must(t, os.WriteFile(filepath.Join(draft, "PG_VERSION"), []byte(major+"\n"), 0o600))
	}
	start(t, pgembed.Options{DataDir: dir, Fast: true})
}

func TestAStartCutShortLeavesNoServer(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	if server, err := pgembed.Start(ctx, pgembed.Options{SearchFrom: here, DataDir: dir}); err == nil {
		must(t, server.Stop(t.Context()))
		t.Skip("this machine starts a database faster than the limit")
	} else if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("err = %v", err)
	}
	start(t, pgembed.Options{DataDir: dir})
}

func TestRootStartsTheServerAsAnotherUser(t *testing.T) {
	needRoot(t)
	t.Parallel()
	t.Run("in a folder that everybody may enter", func(t *testing.T) {
		t.Parallel()
		needOpenCheckout(t)
		server := start(t, pgembed.Options{DataDir: openDir(t), Fast: true})
		if uid := userOf(t, server.PID()); uid == 0 {
			t.Error("the server runs as root")
		}
	})
	t.Run("and hides being root where no other user may go", func(t *testing.T) {
		t.Parallel()
		private := openDir(t)
		must(t, os.Chmod(private, 0o700))
		dir := filepath.Join(private, "data")
		p := startParent(t, dir)
		p.kill()
		within(t, patience, "the server of a killed parent ends", func() bool { return !alive(p.server) })
		server := start(t, pgembed.Options{DataDir: dir})
		if got := query[string](t, server.DSN(""), "select what from kept"); got != "from the parent" {
			t.Errorf("kept %q", got)
		}
	})
}

func TestOtherUsers(t *testing.T) {
	needRoot(t)
	needOpenCheckout(t)
	t.Parallel()
	for name, uid := range map[string]uint32{"an ordinary one": 65534, "one without a name": 12345} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startParent(t, foreignFolder(t, uid), as(t, uid))
			if got := query[string](t, p.dsn, "select what from kept"); got != "from the parent" {
				t.Errorf("kept %q", got)
			}
			p.kill()
			within(t, patience, "the server of a killed parent ends", func() bool { return !alive(p.server) })
		})
	}
	t.Run("root leaves a user's data to that user", func(t *testing.T) {
		t.Parallel()
		dir := foreignFolder(t, 65534)
		p := startParent(t, dir, as(t, 65534))
		p.kill()
		server := start(t, pgembed.Options{DataDir: dir})
		if uid := userOf(t, server.PID()); uid != 65534 {
			t.Errorf("runs as %d", uid)
		}
		must(t, server.Stop(t.Context()))
		startParent(t, dir, as(t, 65534))
	})
}

// foreignFolder is a folder that belongs to another user.
func foreignFolder(t *testing.T, uid uint32) string {
	dir := filepath.Join(openDir(t), "data")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Chown(dir, int(uid), int(uid)))
	return dir
}

// as runs a copy of this program as another user, with a home that is not there.
func as(t *testing.T, uid uint32) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) {
		program := filepath.Join(openDir(t), "program")
		// By another process: a file that we have open for writing cannot be run, nor can one that a child of ours,
		// started at the same moment, has inherited so.
		must(t, exec.Command("cp", cmd.Path, program).Run())
		must(t, os.Chmod(program, 0o755))
		cmd.Path, cmd.Args = program, []string{program}
		cmd.Env = append(cmd.Env, "HOME=/nonexistent")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
}

func needRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
}

// needOpenCheckout skips a test where no other user may run PostgreSQL's programs, which are in the checkout: it may
// be below /root.
func needOpenCheckout(t *testing.T) {
	t.Helper()
	dir, err := os.Getwd()
	for ; err == nil && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		must(t, err)
		if info.Mode().Perm()&0o001 == 0 {
			t.Skipf("PostgreSQL's programs are in %s, which no other user may enter", dir)
		}
	}
	must(t, err)
}

// userOf is the user that a process runs as.
func userOf(t *testing.T, pid int) int {
	t.Helper()
	info, err := os.Stat("/proc/" + strconv.Itoa(pid))
	must(t, err)
	return int(info.Sys().(*syscall.Stat_t).Uid)
}
