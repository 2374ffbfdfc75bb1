// Command architecture measures the structure of the program and compares it with its limits. Run it in the
// root of the repository.
//
// Without a flag it compares the drawings in docs/architecture.md with the imports, prints the table of
// figures, and exits with 1 when a figure is above its limit in limits.json. With -arrows it prints which
// files use definitions of which, and which arrows point against the order of rooms in rooms.json.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "the root of the repository")
	folder := flag.String("config", "tools/architecture", "the folder of limits.json and rooms.json")
	arrows := flag.Bool("arrows", false, "print the arrows between files")
	verbose := flag.Bool("v", false, "with -arrows: print each arrow against the order, with its definitions")
	flag.Parse()
	if err := run(*root, filepath.Join(*root, *folder), *arrows, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "architecture:", err)
		os.Exit(1)
	}
}

func run(root, config string, arrows, verbose bool) error {
	limits, err := readLimits(filepath.Join(config, "limits.json"))
	if err != nil {
		return err
	}
	tree, err := load(root, limits)
	if err != nil {
		return err
	}
	if arrows {
		rooms, err := readRooms(filepath.Join(config, "rooms.json"))
		if err != nil {
			return err
		}
		fmt.Print(tree.arrowsReport(rooms, verbose))
		return tree.unknown(rooms)
	}
	if err := checkDrawings(root, limits); err != nil {
		return err
	}
	figures, err := tree.measure()
	if err != nil {
		return err
	}
	table, err := limits.compare(figures)
	fmt.Print(table)
	return err
}
