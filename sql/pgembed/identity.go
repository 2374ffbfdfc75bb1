//go:build unix

package pgembed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// identity is the user that PostgreSQL runs as. It does not run as root, and initdb needs a user
// with a name.
type identity struct {
	uid, gid int // owner of its files as we see them
	kind     identityKind
	inside   int // for a namespace: the user id that PostgreSQL sees
}

type identityKind int

const (
	plain   identityKind = iota // as ourselves
	dropped                     // as another user; needs root
	// as ourselves, but under another number inside a user namespace; Linux only
	namespace
)

func (id identity) String() string {
	switch id.kind {
	case dropped:
		return fmt.Sprintf("user %d", id.uid)
	case namespace:
		return fmt.Sprintf("user %d in a namespace", id.inside)
	default:
		return "ourselves"
	}
}

// identities lists who could run PostgreSQL on a folder that belongs to owner, best first. Taking
// the owner first spares the files a change of owner: a cluster made by an ordinary user keeps its
// owner when root starts it once.
func identities(owner int) []identity {
	uid, gid := os.Getuid(), os.Getgid()
	hidden := identity{uid, gid, namespace, namedUser()}
	if uid != 0 {
		me := identity{uid: uid, gid: gid}
		if _, err := user.LookupId(strconv.Itoa(uid)); err != nil && haveNamespaces {
			return []identity{hidden, me}
		}
		return []identity{me}
	}
	var ids []identity
	if owner > 0 {
		if u, err := user.LookupId(strconv.Itoa(owner)); err == nil {
			ids = append(ids, droppedTo(u))
		}
	}
	if owner == 0 && haveNamespaces {
		ids = append(ids, hidden)
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			ids = append(ids, droppedTo(u))
		}
	}
	if owner != 0 && haveNamespaces {
		ids = append(ids, hidden)
	}
	return ids
}

func droppedTo(u *user.User) identity {
	uid, _ := strconv.Atoi(u.Uid) // numbers on every unix
	gid, _ := strconv.Atoi(u.Gid)
	return identity{uid: uid, gid: gid, kind: dropped}
}

// namedUser is the id of an ordinary user that this machine knows by name.
func namedUser() int {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return droppedTo(u).uid
		}
	}
	return 1000
}

// reaching returns the ids that may enter dir.
func reaching(ctx context.Context, ids []identity, dir string) (able []identity, err error) {
	for _, id := range ids {
		if id.kind == plain {
			able = append(able, id)
			continue
		}
		if _, failed := id.run(ctx, "/bin/sh", "-c", `test -x "$0"`, dir); failed != nil {
			err = errors.Join(err, fmt.Errorf("%v cannot enter %s: %w", id, dir, failed))
			continue
		}
		able = append(able, id)
	}
	if len(able) == 0 && err == nil {
		err = errors.New("PostgreSQL does not run as root, and this machine has no user postgres or nobody")
	}
	if len(able) > 0 {
		return able, nil
	}
	return nil, err
}

// command prepares a program to run as id. Its working directory is the root, since another user
// may not be able to enter ours; its environment is its own, since ours may contain PG variables
// and secrets.
func (id identity) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "HOME=/"}
	for _, name := range []string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.SysProcAttr = id.attributes()
	return cmd
}

// run runs a short program as id to its end and returns its output.
func (id identity) run(ctx context.Context, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // initdb took over one on a busy machine
	defer cancel()
	cmd := id.command(program, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	child, err := launch(cmd)
	if err != nil {
		return nil, err
	}
	select {
	case <-child.gone:
	case <-ctx.Done():
		_ = syscall.Kill(-child.pid, syscall.SIGKILL) // it may have ended just now
		<-child.gone
		return nil, context.Cause(ctx)
	}
	if child.err != nil {
		if said := lastLine(complaint.Bytes()); said != "" {
			return nil, errors.New(said)
		}
		return nil, child.err
	}
	return out.Bytes(), nil
}

// lastLine returns the last line of a program's error output.
func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}

// own gives dir and all in it to id, touching only what is not id's yet.
func (id identity) own(dir string) error {
	if os.Getuid() != 0 {
		return nil // nothing can be given away; PostgreSQL says so if it is not ours
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if ownerOf(info) == id.uid {
			return nil
		}
		return os.Lchown(path, id.uid, id.gid)
	})
}

// ownerOf is the user id that a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return os.Getuid()
}
