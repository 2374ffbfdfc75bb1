//go:build unix && !linux

package pgembed

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	haveNamespaces     = false
	kernelEndsChildren = false
)

// attributes of a process that runs as id, in a group of its own so that Ctrl-C reaches us alone and we end
// it in order.
func (id identity) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if id.kind == dropped {
		attr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	}
	return attr
}

// postgresIn lists the PostgreSQL processes of the clusters in dir: the postmasters that their pid files
// name, when a PostgreSQL has that number, and their children.
func postgresIn(dir string) []int {
	masters := map[int]bool{}
	for _, pattern := range []string{"postmaster.pid", "*/postmaster.pid"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the only error is a bad pattern
		for _, file := range files {
			if raw, err := os.ReadFile(file); err == nil {
				first, _, _ := strings.Cut(string(raw), "\n")
				if pid, err := strconv.Atoi(strings.TrimSpace(first)); err == nil {
					masters[pid] = true
				}
			}
		}
	}
	table, err := exec.Command("/bin/ps", "-A", "-o", "pid=,ppid=,comm=").Output()
	if err != nil || len(masters) == 0 {
		return nil
	}
	var pids []int
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || !strings.Contains(fields[2], "postgres") {
			continue
		}
		pid, _ := strconv.Atoi(fields[0])
		parent, _ := strconv.Atoi(fields[1])
		if masters[pid] || masters[parent] {
			pids = append(pids, pid)
		}
	}
	return pids
}

// serves says that pid is a PostgreSQL at work in cluster.
func serves(pid int, cluster string) bool {
	return slices.Contains(postgresIn(cluster), pid)
}
