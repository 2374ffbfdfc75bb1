package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clusterFolder begins the names of the folders of runs, in the system's temporary folder.
const clusterFolder = "tradepost-cluster-"

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (c *patroniCluster) bridge() string            { return "tp" + c.run }
func (c *patroniCluster) space(i int) string        { return "tp" + c.run + "n" + strconv.Itoa(i) }
func (c *patroniCluster) link(i int) string         { return "tp" + c.run + "v" + strconv.Itoa(i) }
func (c *patroniCluster) number(n *clusterNode) int { return slices.Index(c.nodes, n) + 1 }

// network makes a bridge and three namespaces with one link each.
func (c *patroniCluster) network() error {
	err := errors.Join(
		ip("link", "add", c.bridge(), "type", "bridge"),
		ip("addr", "add", clusterGate+"/24", "dev", c.bridge()), ip("link", "set", c.bridge(), "up"))
	for i := 1; i <= 3 && err == nil; i++ {
		inside := c.link(i) + "i"
		for _, step := range [][]string{
			{"netns", "add", c.space(i)},
			{"link", "add", c.link(i), "type", "veth", "peer", "name", inside},
			{"link", "set", inside, "netns", c.space(i)},
			{"link", "set", c.link(i), "master", c.bridge()},
			{"link", "set", c.link(i), "up"},
			{"-n", c.space(i), "addr", "add", clusterNet + strconv.Itoa(i) + "/24", "dev", inside},
			{"-n", c.space(i), "link", "set", inside, "up"},
			{"-n", c.space(i), "link", "set", "lo", "up"},
		} {
			if err = ip(step...); err != nil {
				break
			}
		}
	}
	return err
}

// stop ends everything and removes it. It returns an error when something is left.
func (c *patroniCluster) stop() error {
	for _, cmd := range c.front {
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	}
	c.clear()
	return c.left()
}

// clear ends what runs in the namespaces of a run, and removes these, its links and its folder.
func (c *patroniCluster) clear() {
	for i := 1; i <= 3; i++ {
		for range 100 { // what is killed may have started something just before
			pids := processesIn(c.space(i))
			if len(pids) == 0 {
				break
			}
			for _, pid := range pids {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			}
			time.Sleep(20 * time.Millisecond)
		}
		_ = ip("netns", "del", c.space(i)) // it is not there when the start has failed before it
		_ = ip("link", "del", c.link(i))   // it goes with its namespace, mostly
	}
	_ = ip("link", "del", c.bridge())
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), clusterFolder+c.run+"-*")) // the pattern is right
	for _, folder := range folders {
		_ = os.RemoveAll(folder) // left says when it is there
	}
}

// left names what is still there of a run: processes, namespaces, links and files.
func (c *patroniCluster) left() error {
	var all []string
	folder := filepath.Join(os.TempDir(), clusterFolder+c.run+"-")
	for range 50 { // a killed process is there until its parent has heard of it
		all = nil
		commands, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is right
		for _, file := range commands {
			if command, _ := os.ReadFile(file); strings.Contains(string(command), folder) {
				all = append(all, file+" "+strings.ReplaceAll(string(command), "\x00", " "))
			}
		}
		if len(all) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	spaces, _ := os.ReadDir("/run/netns") // none when it is not there
	for _, space := range spaces {
		if strings.HasPrefix(space.Name(), c.bridge()+"n") {
			all = append(all, "the namespace "+space.Name())
		}
	}
	links, _ := net.Interfaces()
	for _, link := range links {
		if link.Name == c.bridge() || strings.HasPrefix(link.Name, c.bridge()+"v") {
			all = append(all, "the link "+link.Name)
		}
	}
	if files, _ := filepath.Glob(folder + "*"); len(files) > 0 {
		all = append(all, files...)
	}
	if len(all) > 0 {
		return fmt.Errorf("left running or lying about: %s", strings.Join(all, ", "))
	}
	return nil
}

var spaceOfRun = regexp.MustCompile(`^tp(\d+)n\d$`)

// clearFormerRuns removes what runs have left that were killed. It returns an error while another run goes
// on.
func clearFormerRuns() error {
	spaces, _ := os.ReadDir("/run/netns") // none when it is not there
	for _, space := range spaces {
		of := spaceOfRun.FindStringSubmatch(space.Name())
		if of == nil {
			continue
		}
		own, _ := os.ReadFile("/proc/self/comm")
		other, err := os.ReadFile("/proc/" + of[1] + "/comm")
		if err == nil && string(own) == string(other) && of[1] != strconv.Itoa(os.Getpid()) {
			return fmt.Errorf("another cluster is being played, by the process %s", of[1])
		}
		(&patroniCluster{run: of[1]}).clear()
	}
	return nil
}

// processesIn returns the processes in a namespace.
func processesIn(space string) (pids []int) {
	out, _ := exec.Command("ip", "netns", "pids", space).Output() // none when it fails
	for _, word := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
