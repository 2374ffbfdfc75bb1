package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// cost is the processor time that something took, or a request of it.
type cost struct {
	program  time.Duration // of the program, or of the peer in its place
	postgres time.Duration // of PostgreSQL, all of its processes
}

func (c cost) both() time.Duration { return c.program + c.postgres }

func (c cost) since(before cost) cost {
	return cost{c.program - before.program, c.postgres - before.postgres}
}

func (c cost) each(requests int) cost {
	n := time.Duration(max(requests, 1))
	return cost{c.program / n, c.postgres / n}
}

// cost is what a process and PostgreSQL have used up so far.
func (b *bench) cost(pid int) (c cost, err error) {
	if c.program, err = processorTime(pid); err != nil {
		return c, err
	}
	c.postgres, err = b.postgresTime()
	return c, err
}

// processorTime is how long a process has kept a core busy.
func processorTime(pid int) (time.Duration, error) {
	fields, err := stat(pid)
	if err != nil {
		return 0, err
	}
	return ticks(fields[userTicks], fields[systemTicks])
}

// The fields of /proc/PID/stat after the name of the command.
const (
	parent           = 1
	userTicks        = 11
	systemTicks      = 12
	endedUserTicks   = 13
	endedSystemTicks = 14
)

func stat(pid int) ([][]byte, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) <= endedSystemTicks {
		return nil, fmt.Errorf("the kernel does not say how busy process %d was", pid)
	}
	return fields, nil
}

// ticks adds up times in hundredths of a second, as Linux counts them.
func ticks(fields ...[]byte) (sum time.Duration, err error) {
	for _, f := range fields {
		n, err := strconv.Atoi(string(f))
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * (time.Second / 100)
	}
	return sum, nil
}

// postgresTime is how long PostgreSQL has kept a core busy, with the processes of connections that are
// closed.
func (b *bench) postgresTime() (time.Duration, error) {
	server, err := stat(b.serverPID)
	if err != nil {
		return 0, err
	}
	sum, err := ticks(server[userTicks], server[systemTicks], server[endedUserTicks],
		server[endedSystemTicks])
	if err != nil {
		return 0, err
	}
	all, err := filepath.Glob("/proc/[0-9]*/schedstat")
	if err != nil {
		return 0, err
	}
	for _, file := range all {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		fields, err := stat(pid)
		if err != nil || string(fields[parent]) != strconv.Itoa(b.serverPID) {
			continue // it has ended, or is another's
		}
		// Nanoseconds: there are many of these, each with a rest of a tick.
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		ran, err := strconv.ParseInt(string(bytes.Fields(text)[0]), 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(ran)
	}
	return sum, nil
}

// findServer notes the process of PostgreSQL: the parent of those that serve a connection.
func (b *bench) findServer(ctx context.Context) error {
	var backend int
	if err := b.store.Pool().QueryRow(ctx, "select pg_backend_pid()").Scan(&backend); err != nil {
		return err
	}
	fields, err := stat(backend)
	if err != nil {
		return err
	}
	b.serverPID, err = strconv.Atoi(string(fields[parent]))
	return err
}
