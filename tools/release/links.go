package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// link is a link or picture of Markdown; code holds none.
var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// deadLinks returns the links of the folder's pages that lead to a file which is not in the folder: who
// has unpacked an archive has nothing else.
func deadLinks(folder string) ([]string, error) {
	var dead []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		page, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range link.FindAllSubmatch(code.ReplaceAll(page, nil), -1) {
			target, _, _ := strings.Cut(string(found[1]), "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			inside, err := filepath.Rel(folder, filepath.Join(filepath.Dir(path), filepath.FromSlash(target)))
			if err == nil && filepath.IsLocal(inside) {
				_, err = os.Stat(filepath.Join(folder, inside))
			} else if err == nil {
				err = fs.ErrNotExist
			}
			if err != nil {
				below, _ := filepath.Rel(folder, path)
				dead = append(dead, fmt.Sprintf("%s links to %s", filepath.ToSlash(below), target))
			}
		}
		return nil
	})
	return dead, err
}
