//go:build unix

package pgembed

import (
	"bytes"
	"context"
	"log/slog"
	"os/exec"
	"runtime"
	"sync"
)

// child is a process that we started.
type child struct {
	pid   int
	gone  chan struct{} // closed once it has ended
	err   error         // nil when it ended well; to be read after gone
	state string        // how it ended, for people; to be read after gone
}

// launch starts cmd and waits for it in the background. The kernel ends a child when the thread that
// started it ends, which in Go happens at any time, so that thread is kept for as long as the child lives.
func launch(cmd *exec.Cmd) (*child, error) {
	c := &child{gone: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			c.pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			c.err = cmd.Wait()
			c.state = cmd.ProcessState.String()
			close(c.gone)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return c, nil
}

// output passes on what PostgreSQL prints, line by line, and remembers the end of it.
type output struct {
	log  *slog.Logger
	mu   sync.Mutex
	part []byte   // a line not finished yet
	last []string // the newest lines, oldest first
}

const rememberedLines = 8

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.part = append(o.part, p...)
	for {
		line, rest, ok := bytes.Cut(o.part, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		o.line(string(bytes.TrimSpace(line)))
		o.part = rest
	}
}

func (o *output) line(text string) {
	o.log.DebugContext(context.Background(), "postgres", "said", text)
	o.last = append(o.last, text)
	if len(o.last) > rememberedLines {
		o.last = o.last[1:]
	}
}

// reason returns PostgreSQL's last FATAL or PANIC message, or an empty text.
func (o *output) reason() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := len(o.last) - 1; i >= 0; i-- {
		for _, mark := range []string{"FATAL:", "PANIC:"} {
			if _, text, ok := bytes.Cut([]byte(o.last[i]), []byte(mark)); ok {
				return string(bytes.TrimSpace(text))
			}
		}
	}
	if len(o.last) > 0 {
		return o.last[len(o.last)-1]
	}
	return ""
}
