package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// clusterPackages are what the cluster is made of: a program that shows that a package is there, by its name.
var clusterPackages = map[string]string{
	"postgresql-15": pgBin + "/postgres", "patroni": "patroni", "etcd-server": "etcd", "haproxy": "haproxy",
	"iproute2": "ip", "util-linux": "setpriv",
}

// machine is where the cluster is to be played.
type machine struct {
	root    bool
	there   func(program string) bool
	install func(packages []string) error
}

func thisMachine() machine {
	return machine{
		root:    os.Getuid() == 0,
		there:   func(program string) bool { _, err := exec.LookPath(program); return err == nil },
		install: installPackages,
	}
}

// missing are the packages that are not there, sorted.
func (m machine) missing() (missing []string) {
	for name, program := range clusterPackages {
		if !m.there(program) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// ready installs what is missing. It reports false, and says what is missing, where the cluster cannot be
// played.
func (m machine) ready(out io.Writer) bool {
	missing := m.missing()
	switch {
	case !m.root && len(missing) > 0:
		fmt.Fprintf(out, "The cluster is not played: it needs root, for network namespaces, and these packages: %s\n", strings.Join(missing, " "))
		return false
	case !m.root:
		fmt.Fprintln(out, "The cluster is not played: it needs root, for network namespaces.")
		return false
	case len(missing) == 0:
		return true
	}
	fmt.Fprintln(os.Stderr, "installing", strings.Join(missing, " "))
	if err := m.install(missing); err != nil {
		fmt.Fprintf(out, "The cluster is not played: it needs these packages, which cannot be installed here: %s\n%v\n", strings.Join(missing, " "), err)
		return false
	}
	if missing = m.missing(); len(missing) > 0 {
		fmt.Fprintf(out, "The cluster is not played: these packages are installed, and what they are needed for is not there: %s\n", strings.Join(missing, " "))
		return false
	}
	return true
}

// installPackages installs packages with apt, without starting them.
func installPackages(packages []string) error {
	const policy = "/usr/sbin/policy-rc.d"
	// keeps the packages' own services from starting
	if _, err := os.Stat(policy); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(policy, []byte("#!/bin/sh\nexit 101\n"), 0o755); err != nil {
			return err
		}
		defer func() { _ = os.Remove(policy) }() // it was ours
	}
	for _, args := range [][]string{{"update"},
		append([]string{"install", "-y", "--no-install-recommends", "--no-upgrade"}, packages...)} {
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}
