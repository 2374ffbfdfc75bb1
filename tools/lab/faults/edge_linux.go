package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// edgePackages are what a cache in front is made of: a file that shows that a package is there, by its name.
var edgePackages = map[string]string{"varnish": "/usr/sbin/varnishd",
	"varnish-modules": "/usr/lib/*/varnish/vmods/libvmod_xkey.so"}

const edgeFiles = "deploy/cache"

// edge is a market with Varnish in front of it, which runs with the files of deploy/cache.
type edge struct {
	*scene
	address string // where visitors ask
	purges  string // where the programs purge
	folder  string
	varnish *exec.Cmd
	log     *tail
	orders  []int64 // that are read
	items   []int64
	ids     map[*person]int64
}

// missingOf are those of some packages that are not there, sorted.
func missingOf(packages map[string]string) (missing []string) {
	for name, file := range packages {
		if found, _ := filepath.Glob(file); len(found) == 0 {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// playEdge puts Varnish in front of one program and of two, and prints how many requests reached the
// programs.
func (g *ground) playEdge(ctx context.Context, out io.Writer) error {
	if missing := missingOf(edgePackages); len(missing) > 0 {
		if os.Getuid() != 0 {
			fmt.Fprintf(out, "A cache in front needs these packages: %s\n", strings.Join(missing, " "))
			return nil
		}
		fmt.Fprintln(os.Stderr, "installing", strings.Join(missing, " "))
		if err := installPackages(missing); err != nil {
			fmt.Fprintf(out, "A cache in front needs these packages, which cannot be installed here: %s\n%v\n", strings.Join(missing, " "), err)
			return nil
		}
	}
	var played []edgeResult
	for _, programs := range [][]string{{""}, both} {
		r, err := g.playEdgeWith(ctx, programs)
		if err != nil {
			return fmt.Errorf("%d programs: %w", len(programs), err)
		}
		played = append(played, r)
	}
	printEdge(out, played)
	return nil
}

func (g *ground) playEdgeWith(ctx context.Context, programs []string) (r edgeResult, err error) {
	fmt.Fprintf(os.Stderr, "Varnish in front of %d\n", len(programs))
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	e := &edge{log: &tail{also: g.logs}}
	if e.folder, err = os.MkdirTemp("", "tradepost-edge-"); err != nil {
		return r, err
	}
	defer os.RemoveAll(e.folder)
	if e.address, err = freeAddress(); err != nil {
		return r, err
	}
	if e.purges, err = freeAddress(); err != nil {
		return r, err
	}
	// The programs start first, and find no cache: they must purge it as a whole when it is there.
	behind := &ground{settings: g.settings, shared: g.shared, logs: g.logs,
		env: append([]string{"CACHE_PURGE_URL=http://" + e.purges}, g.env...)}
	if e.scene, err = behind.newScene(ctx, fault{programs: programs}); err != nil {
		return r, err
	}
	defer e.scene.close()
	e.ctx = ctx
	if err := e.startVarnish(); err != nil {
		return r, err
	}
	defer e.stopVarnish()
	err = e.try(func() { r = e.play() })
	if err == nil {
		err = errors.Join(e.complaints...)
	}
	if err != nil {
		err = fmt.Errorf("%w\nVarnish:\n%s\n%w", err, e.log, e.saidAtLast())
	}
	return r, err
}

// startVarnish starts Varnish with the files of deploy/cache, in which only the addresses of the programs
// are replaced.
func (e *edge) startVarnish() error {
	name, former := "programs.vcl", []string{`"127.0.0.1";` + "\n    .port = \"8080\";"}
	if len(e.programs) > 1 {
		name, former = "programs.replicas.vcl",
			[]string{`"10.0.0.11";` + "\n    .port = \"8080\";", `"10.0.0.12";` + "\n    .port = \"8080\";"}
	}
	where, err := os.ReadFile(filepath.Join(edgeFiles, name))
	if err != nil {
		return err
	}
	text := string(where)
	for i, p := range e.programs {
		host, port, err := net.SplitHostPort(p.address)
		if err != nil || !strings.Contains(text, former[i]) {
			return fmt.Errorf("%s does not name program %d (%w)", name, i+1, err)
		}
		text = strings.Replace(text, former[i], fmt.Sprintf("%q;\n    .port = %q;", host, port), 1)
	}
	rules, err := os.ReadFile(filepath.Join(edgeFiles, "tradepost.vcl"))
	if err != nil {
		return err
	}
	for file, content := range map[string]string{"programs.vcl": text, "tradepost.vcl": string(rules)} {
		if err := os.WriteFile(filepath.Join(e.folder, file), []byte(content), 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(e.folder, 0o755); err != nil { // Varnish's processes have users of their own
		return err
	}
	e.varnish = exec.Command("varnishd", "-F", "-n", filepath.Join(e.folder, "work"), "-T", "none",
		"-a", "public="+e.address, "-a", "purge="+e.purges, "-f", filepath.Join(e.folder, "tradepost.vcl"),
		"-p", "vcl_path="+e.folder,
		"-s", "malloc,256m", "-p", "thread_pool_min=50")
	e.varnish.Stdout, e.varnish.Stderr = e.log, e.log
	e.varnish.SysProcAttr = dieWithUs()
	if err := e.varnish.Start(); err != nil {
		return fmt.Errorf("start Varnish: %w", err)
	}
	return e.awaitVarnish()
}

// awaitVarnish waits until Varnish answers, and until each program has purged it.
func (e *edge) awaitVarnish() error {
	return e.try(func() {
		for {
			if a := e.ask(visitor, "/"); a.err == nil && a.status == 200 {
				break
			}
			select {
			case <-time.After(20 * time.Millisecond): // it does not tell
			case <-e.ctx.Done():
				e.Fatalf("Varnish does not answer:\n%s", e.log)
			}
		}
		e.ask(visitor, "/api/orders")
		e.post(e.owners[0].person, "First through the cache")
		e.seen("/api/orders", "First through the cache", 10*time.Second)
	})
}

// stopVarnish ends Varnish with its child.
func (e *edge) stopVarnish() {
	_ = e.varnish.Process.Signal(syscall.SIGTERM) // it ends its child
	ended := make(chan struct{})
	go func() {
		_ = e.varnish.Wait() // how it ended does not matter
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		for _, pid := range append(children(e.varnish.Process.Pid), e.varnish.Process.Pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		<-ended
	}
}

func children(parent int) (pids []int) {
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent)) // it may have ended
	for _, field := range strings.Fields(string(list)) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// processorOf is the processor time that processes have used so far.
func processorOf(pids ...int) (used time.Duration) {
	for _, pid := range pids {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // it may have ended
		if end := strings.LastIndexByte(string(stat), ')'); end > 0 {
			for _, field := range strings.Fields(string(stat)[end+1:])[11:13] { // in hundredths of a second
				ticks, _ := strconv.ParseInt(field, 10, 64)
				used += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return used
}
