//go:build unix

package pgembed

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// janitor is a shell that reads from a pipe; only this process has the other end. When this process ends, in
// whatever way, the read returns, and the shell ends the server and removes the folders that should not stay.
type janitor struct {
	pipe *os.File
	cmd  *exec.Cmd
}

// janitorScript takes the signal, the cluster and the folders to remove.
const janitorScript = `
read -r line
if read -r pid < "$2/postmaster.pid"; then
	kill -s "$1" "$pid"
	tries=0
	while [ -e "$2/postmaster.pid" ] && kill -0 "$pid" && [ "$tries" -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
fi
shift 2
[ "$#" -eq 0 ] || rm -rf -- "$@"
`

func (s *Server) hireJanitor() (*janitor, error) {
	args := []string{"-c", janitorScript, "tradepost-janitor", "INT", s.cluster}
	if s.temp != nil {
		args[3] = "QUIT"
		args = append(args, s.temp.path, s.socket.path)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("watch over the server: %w", err)
	}
	defer func() { _ = read.Close() }()
	cmd := exec.Command("/bin/sh", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = "/", []string{"PATH=/usr/bin:/bin"}, read
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = write.Close()
		return nil, fmt.Errorf("watch over the server: %w", err)
	}
	return &janitor{pipe: write, cmd: cmd}, nil
}

// dismiss ends the janitor when there is nothing left to do. It is killed first, since it acts when the
// pipe closes.
func (j *janitor) dismiss() {
	_ = j.cmd.Process.Kill() // it may have ended already
	_ = j.cmd.Wait()         // it was killed, so this is an error
	_ = j.pipe.Close()
}
