package cache_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const root = "../.."

// entriesInSources returns how often a file makes an entry of each scope, as "core/items/prices.go Orders".
func entriesInSources(t *testing.T) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, layer := range []string{"core", "sql", "web", "bot", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, layer), func(path string, d fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(path, root+"/"))
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(name, "core/cache/") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				fun := call.Fun
				if generic, ok := fun.(*ast.IndexExpr); ok {
					fun = generic.X
				}
				made, ok := fun.(*ast.SelectorExpr)
				if !ok || fmt.Sprint(made.X) != "cache" {
					return true
				}
				switch made.Sel.Name {
				case "NewEntry":
					scope, _ := call.Args[1].(*ast.SelectorExpr)
					found[fmt.Sprintf("%s `%s`", name, scope.Sel.Name)]++
				case "NewTradesEntry":
					found[name+" trades of its names"]++
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func TestThePageOfFreshnessHasEveryEntryAndTimeOfTheCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(root + "/docs/freshness.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| [^|]+ \\| `([a-z/_]+\\.go)` \\| ([^|]+) \\|").FindAllStringSubmatch(string(page), -1) {
		told[row[1]+" "+row[2]]++
	}
	made := entriesInSources(t)
	if len(made) < 8 {
		t.Errorf("the sources have the entries %v: are they made in another way?", made)
	}
	for entry, n := range made {
		if told[entry] != n {
			t.Errorf("docs/freshness.md has %d rows for %s, the code %d entries", told[entry], entry, n)
		}
	}
	for entry := range told {
		if made[entry] == 0 {
			t.Errorf("docs/freshness.md tells of %s, which is not in the code", entry)
		}
	}

	times := regexp.MustCompile("`(\\w+)` = (\\d+) (hour|minute|second|millisecond)s? \\(`([a-z/_]+\\.go)`\\)").FindAllStringSubmatch(string(page), -1)
	if len(times) < 15 {
		t.Errorf("docs/freshness.md has %d times", len(times))
	}
	units := map[string]time.Duration{"hour": time.Hour, "minute": time.Minute, "second": time.Second, "millisecond": time.Millisecond}
	for _, m := range times {
		name, number, unit, file := m[1], m[2], units[m[3]], m[4]
		var n time.Duration
		_, _ = fmt.Sscan(number, &n)
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		value := regexp.MustCompile(`(?m)^(?:const|\s)\s*` + name + `\s+=\s+(?:(\d+) \* )?time\.(Hour|Minute|Second|Millisecond)\b`).FindSubmatch(source)
		if value == nil {
			t.Errorf("%s has no time %s", file, name)
			continue
		}
		is := time.Duration(1)
		if len(value[1]) > 0 {
			_, _ = fmt.Sscan(string(value[1]), &is)
		}
		if is *= units[strings.ToLower(string(value[2]))]; is != n*unit {
			t.Errorf("docs/freshness.md says that %s is %s, and it is %s", name, n*unit, is)
		}
	}
}
