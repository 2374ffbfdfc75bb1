package pgembed

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// haveNamespaces says that a user namespace can hide that we are root.
	haveNamespaces = true
	// kernelEndsChildren: a child gets a signal when its parent dies, so that no other process has
	// to watch.
	kernelEndsChildren = true
)

// attributes of a process that runs as id, in a group of its own so that Ctrl-C reaches us alone and we end
// it in order. SIGINT is PostgreSQL's fast shutdown.
func (id identity) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
	switch id.kind {
	case plain:
	case dropped:
		attr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	case namespace:
		attr.Cloneflags = syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id.inside, HostID: id.uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: id.inside, HostID: id.gid, Size: 1}}
	}
	return attr
}

// postgresIn lists the PostgreSQL processes that work in dir or below it. They are known by their working
// directory: a process id alone, from a file that outlived a crash, may by now belong to another program.
func postgresIn(dir string) []int {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && worksIn(pid, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// serves reports whether pid is a PostgreSQL at work in cluster. A zombie is not.
func serves(pid int, cluster string) bool {
	cluster, err := filepath.EvalSymlinks(cluster)
	return err == nil && worksIn(pid, cluster)
}

func worksIn(pid int, dir string) bool {
	process := "/proc/" + strconv.Itoa(pid)
	cwd, err := os.Readlink(process + "/cwd")
	if err != nil || (cwd != dir && !strings.HasPrefix(cwd, dir+"/")) {
		return false
	}
	program, err := os.Readlink(process + "/exe")
	return err == nil && strings.HasPrefix(filepath.Base(program), "postgres")
}
