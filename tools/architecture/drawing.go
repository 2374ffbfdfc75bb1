package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	document = "docs/architecture.md"
	module   = "tradepost/"
)

var (
	block = regexp.MustCompile("(?s)```mermaid\n(.*?)```")
	label = regexp.MustCompile(`^\s*(\w+)\["([\w/]+)"\]$`)
	arrow = regexp.MustCompile(`^\s*(\w+) --> (\w+(?: & \w+)*)$`)
)

// checkDrawing compares the drawing in docs/architecture.md with the imports of the Go packages. The drawing
// is the first mermaid block. A node is a package with all packages below it, unless one of those is a node
// of its own.
func checkDrawing(root string) error {
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		return err
	}
	nodes, drawn, err := parse(text)
	if err != nil {
		return err
	}
	imported, err := imports(root, nodes)
	if err != nil {
		return err
	}
	var wrong []string
	for edge := range drawn {
		if !imported[edge] {
			wrong = append(wrong, "drawn, but not imported: "+edge)
		}
	}
	for edge := range imported {
		if !drawn[edge] {
			wrong = append(wrong, "imported, but not drawn: "+edge)
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("%s does not show the imports:\n  %s", document, strings.Join(wrong, "\n  "))
	}
	return nil
}

// parse returns the packages of the drawing and its arrows as "a -> b".
func parse(text []byte) (nodes []string, arrows map[string]bool, err error) {
	found := block.FindSubmatch(text)
	if found == nil {
		return nil, nil, fmt.Errorf("%s has no mermaid block", document)
	}
	names, arrows := map[string]string{}, map[string]bool{}
	name := func(id string) string { return cmp.Or(names[id], id) }
	for line := range bytes.Lines(found[1]) {
		line := strings.TrimRight(string(line), "\n")
		if m := label.FindStringSubmatch(line); m != nil {
			names[m[1]] = m[2]
			nodes = append(nodes, m[2])
		} else if m := arrow.FindStringSubmatch(line); m != nil {
			for to := range strings.SplitSeq(m[2], " & ") {
				arrows[name(m[1])+" -> "+name(to)] = true
				nodes = append(nodes, name(m[1]), name(to))
			}
		}
	}
	return nodes, arrows, nil
}

// imports returns which nodes import which, without tests.
func imports(root string, nodes []string) (map[string]bool, error) {
	const each = `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}`
	list := exec.Command("go", "list", "-f", each, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	edges := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(to, module) {
			continue
		}
		a, b := nodeOf(nodes, from), nodeOf(nodes, to)
		if a == "" || b == "" {
			return nil, fmt.Errorf("%s has no node for %s or %s", document, from, to)
		}
		if a != b {
			edges[a+" -> "+b] = true
		}
	}
	return edges, nil
}

// nodeOf returns the longest node that is the package or above it; empty if there is none.
func nodeOf(nodes []string, pkg string) (node string) {
	path := strings.TrimPrefix(pkg, module)
	for _, n := range nodes {
		if (path == n || strings.HasPrefix(path, n+"/")) && len(n) > len(node) {
			node = n
		}
	}
	return node
}
