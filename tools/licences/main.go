// Command licences prints the licence texts of all modules that a Go program is linked from, for its archive:
//
//	go build -C tools/licences -o ../../bin/licences . && bin/licences bin/tradepost > LICENSES.txt
//
// Run it in the root of the repository, whose go.mod names the modules.
//
// It fails when a module has none.
package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: licences PROGRAM")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// names matches the files that modules keep their terms in.
var names = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// write prints the licences of a program's modules, sorted by module, and Go's own.
func write(out io.Writer, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what the program is made of: %w", err)
	}
	paths := make([]string, 0, len(info.Deps))
	for _, module := range info.Deps {
		paths = append(paths, module.Path)
	}
	dirs, err := foldersOf(paths)
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("find Go's folder: %w", err)
	}
	if err := writeOne(out, "Go "+info.GoVersion, string(bytes.TrimSpace(root))); err != nil {
		return err
	}
	for _, module := range info.Deps {
		if err := writeOne(out, module.Path+" "+module.Version, dirs[module.Path]); err != nil {
			return err
		}
	}
	return nil
}

// foldersOf returns where the module cache keeps each module.
func foldersOf(modules []string) (map[string]string, error) {
	listed, err := exec.Command("go", append([]string{"list", "-m", "-json"}, modules...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	dirs := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(listed)); decoder.More(); {
		var module struct{ Path, Dir string }
		if err := decoder.Decode(&module); err != nil {
			return nil, fmt.Errorf("read the list of modules: %w", err)
		}
		dirs[module.Path] = module.Dir
	}
	return dirs, nil
}

// writeOne prints the licences in a folder under a heading.
func writeOne(out io.Writer, heading, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", heading, err)
	}
	entries = slices.DeleteFunc(entries,
		func(e os.DirEntry) bool { return e.IsDir() || !names.MatchString(e.Name()) })
	if len(entries) == 0 {
		return fmt.Errorf("%s has no licence", heading)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", heading, err)
		}
		if _, err := fmt.Fprintf(out, "==== %s: %s ====\n\n%s\n\n", heading, entry.Name(),
			bytes.TrimSpace(text)); err != nil {
			return err
		}
	}
	return nil
}
