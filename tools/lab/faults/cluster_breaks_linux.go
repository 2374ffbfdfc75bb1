package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// signal sends a signal to the processes of a node whose command line is such; to all for nil.
func (c *patroniCluster) signal(n *clusterNode, sig syscall.Signal, which func(command string) bool) {
	for _, pid := range processesIn(c.space(c.number(n))) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if which == nil || which(string(command)) {
			_ = syscall.Kill(pid, sig) // it may have ended just now
		}
	}
}

// kill kills PostgreSQL of a node, as running out of memory does.
func (c *patroniCluster) kill(n *clusterNode) {
	c.signal(n, syscall.SIGKILL, func(command string) bool {
		return strings.Contains(command, "postgres") && !strings.Contains(command, "patroni.yml")
	})
}

// freeze stops everything on a node.
func (c *patroniCluster) freeze(n *clusterNode) {
	for range 3 { // what was started meanwhile, too
		c.signal(n, syscall.SIGSTOP, nil)
	}
}

func (c *patroniCluster) thaw(n *clusterNode) { c.signal(n, syscall.SIGCONT, nil) }

// cut takes a node off the network, and rejoin brings it back.
func (c *patroniCluster) cut(n *clusterNode) error {
	return ip("link", "set", c.link(c.number(n)), "down")
}
func (c *patroniCluster) rejoin(n *clusterNode) error {
	return ip("link", "set", c.link(c.number(n)), "up")
}
