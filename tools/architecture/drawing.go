package main

import (
	"bytes"
	"fmt"
	"maps"
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
	label = regexp.MustCompile(`^\s*(\w+)\["([\w/]+(?:<br/>[\w/]+)*)"\]$`)
	arrow = regexp.MustCompile(`^\s*(\w+) --> (\w+(?: & \w+)*)$`)
)

// drawing is a mermaid block. A node is one or several packages, with all packages below them, unless one of
// those is in a node of its own.
type drawing struct {
	nodeOf map[string]string          // by package
	arrows map[string]map[string]bool // from node to node
}

// checkDrawings compares the drawings in docs/architecture.md with the imports of the Go packages. The first
// one shows every import. The others show the rooms inside of a layer: a room may import every room that
// arrows lead to, so they leave out an arrow that others imply; packages of one node do not import each
// other. What tests use is left out of those.
func checkDrawings(root string, l limits) error {
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		return err
	}
	drawings := parse(text)
	if len(drawings) == 0 {
		return fmt.Errorf("%s has no mermaid block", document)
	}
	imports, err := importsIn(root)
	if err != nil {
		return err
	}
	wrong := drawings[0].compare(imports)
	imports = slices.DeleteFunc(imports, func(pair [2]string) bool { return l.isLeftOut(pair[0]) })
	for _, inner := range drawings[1:] {
		wrong = append(wrong, inner.compareInner(imports)...)
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("%s does not show the imports:\n  %s", document, strings.Join(slices.Compact(wrong), "\n  "))
	}
	return nil
}

// parse returns the drawings of a document.
func parse(text []byte) (all []drawing) {
	for _, found := range block.FindAllSubmatch(text, -1) {
		d := drawing{nodeOf: map[string]string{}, arrows: map[string]map[string]bool{}}
		labelled := map[string]bool{}
		for line := range bytes.Lines(found[1]) {
			line := strings.TrimRight(string(line), "\n")
			if m := label.FindStringSubmatch(line); m != nil {
				labelled[m[1]] = true
				for pkg := range strings.SplitSeq(m[2], "<br/>") {
					d.nodeOf[pkg] = m[1]
				}
			} else if m := arrow.FindStringSubmatch(line); m != nil {
				for to := range strings.SplitSeq(m[2], " & ") {
					for _, node := range []string{m[1], to} {
						if !labelled[node] {
							d.nodeOf[node] = node
						}
					}
					if d.arrows[m[1]] == nil {
						d.arrows[m[1]] = map[string]bool{}
					}
					d.arrows[m[1]][to] = true
				}
			}
		}
		all = append(all, d)
	}
	return all
}

// importsIn returns which packages of the module import which, without tests.
func importsIn(root string) (pairs [][2]string, err error) {
	const each = `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}`
	list := exec.Command("go", "list", "-f", each, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		if to, ok := strings.CutPrefix(to, module); ok {
			pairs = append(pairs, [2]string{strings.TrimPrefix(from, module), to})
		}
	}
	return pairs, nil
}

// compare returns which arrows are no imports, and which imports are no arrows.
func (d drawing) compare(imports [][2]string) (wrong []string) {
	imported := map[string]map[string]bool{}
	for _, pair := range imports {
		from, to := d.room(pair[0]), d.room(pair[1])
		a, b := d.nodeOf[from], d.nodeOf[to]
		switch {
		case a == "" || b == "":
			wrong = append(wrong, fmt.Sprintf("no node for %s or %s", pair[0], pair[1]))
		case a != b && !d.arrows[a][b]:
			wrong = append(wrong, fmt.Sprintf("imported, but not drawn: %s -> %s", from, to))
		}
		add(imported, a, b)
	}
	return append(wrong, d.notImported(imported)...)
}

// compareInner is compare for a drawing of some rooms, in which arrows imply others.
func (d drawing) compareInner(imports [][2]string) (wrong []string) {
	imported := map[string]map[string]bool{}
	for _, pair := range imports {
		from, to := d.room(pair[0]), d.room(pair[1])
		if from == "" || to == "" || from == to {
			continue
		}
		a, b := d.nodeOf[from], d.nodeOf[to]
		add(imported, a, b)
		if a == b || !d.leads(a, b) {
			wrong = append(wrong, fmt.Sprintf("imported, but not drawn: %s -> %s", from, to))
		}
	}
	for a, targets := range d.arrows {
		for b := range targets {
			for between := range targets {
				if between != b && d.leads(between, b) {
					wrong = append(wrong, fmt.Sprintf("others imply the arrow %s -> %s", a, b))
				}
			}
		}
	}
	return append(wrong, d.notImported(imported)...)
}

// notImported returns the arrows that are no imports.
func (d drawing) notImported(imported map[string]map[string]bool) (wrong []string) {
	for a, targets := range d.arrows {
		for b := range targets {
			if !imported[a][b] {
				wrong = append(wrong, fmt.Sprintf("drawn, but not imported: %s -> %s", a, b))
			}
		}
	}
	return wrong
}

// leads reports whether arrows lead from a node to another.
func (d drawing) leads(from, to string) bool {
	return d.arrows[from][to] ||
		slices.ContainsFunc(slices.Collect(maps.Keys(d.arrows[from])), func(n string) bool { return d.leads(n, to) })
}

// room returns the longest package of the drawing that is the package or above it; empty if there is none.
func (d drawing) room(pkg string) (room string) {
	for p := range d.nodeOf {
		if (pkg == p || strings.HasPrefix(pkg, p+"/")) && len(p) > len(room) {
			room = p
		}
	}
	return room
}

func add(to map[string]map[string]bool, a, b string) {
	if to[a] == nil {
		to[a] = map[string]bool{}
	}
	to[a][b] = true
}
