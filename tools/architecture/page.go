package main

import (
	"path"
	"regexp"
	"strings"
)

// pageFile is a source file of the page.
type pageFile struct{ path, text string }

func isPageTest(rel string) bool {
	return strings.Contains(rel, ".test.") || strings.Contains(rel, ".spec.") ||
		strings.HasPrefix(rel, "dashboard/src/test/")
}

// importedFrom finds the modules that a file imports or exports from, also lazily and for types only.
var importedFrom = regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]`)

// pageCircles returns the circles of imports among the files of the page.
func (t *tree) pageCircles() [][]string {
	files := map[string]bool{}
	for _, f := range t.page {
		files[f.path] = true
	}
	imports := map[string][]string{}
	var paths []string
	for _, f := range t.page {
		paths = append(paths, f.path)
		for _, m := range importedFrom.FindAllStringSubmatch(f.text, -1) {
			var target string
			if at, ok := strings.CutPrefix(m[1], "@/"); ok {
				target = path.Join("dashboard/src", at)
			} else if strings.HasPrefix(m[1], ".") {
				target = path.Join(path.Dir(f.path), m[1])
			} else {
				continue
			}
			for _, end := range []string{"", ".ts", ".tsx", "/index.ts", "/index.tsx"} {
				if files[target+end] {
					imports[f.path] = append(imports[f.path], target+end)
					break
				}
			}
		}
	}
	return circles(paths, func(p string) []string { return imports[p] })
}
