//go:build unix

package pgembed

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Where the kernel does not end children, this is what ends a kept server with its parent.
func TestTheJanitorInterruptsTheServerWhenThePipeCloses(t *testing.T) {
	t.Parallel()
	cluster := t.TempDir()
	server := exec.Command("sleep", "600")
	// A shell has what it runs in the background ignore interrupts, and children keep that unless they are caught here.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }()
	write(t, filepath.Join(cluster, "postmaster.pid"), strconv.Itoa(server.Process.Pid)+"\n"+cluster+"\n", 0o600)

	j, err := (&Server{cluster: cluster}).hireJanitor()
	if err != nil {
		t.Fatal(err)
	}
	_ = j.pipe.Close()
	_ = server.Wait()
	if status, ok := server.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("ended by %v", server.ProcessState)
	}
	// PostgreSQL removes the file as its last act.
	if err := os.Remove(filepath.Join(cluster, "postmaster.pid")); err != nil {
		t.Error(err)
	}
	if err := j.cmd.Wait(); err != nil {
		t.Errorf("the janitor: %v", err)
	}
	if _, err := os.Stat(cluster); err != nil {
		t.Errorf("a kept cluster must stay: %v", err)
	}
}
