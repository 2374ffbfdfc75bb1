package bot_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
)

// A write under a key that the bot does not repeat tells a user that it failed, although it may have been saved.
func TestEveryWriteIsRepeatedUntilItsOutcomeIsKnown(t *testing.T) {
	t.Parallel()
	writes, repeated := []string{}, []string{}
	files, err := filepath.Glob("../core/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "write_retry.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for name, receiver := range methods(t, file) {
			if receiver == "retryingMarket" {
				repeated = append(repeated, name)
			} else {
				writes = append(writes, name)
			}
		}
	}
	market := reflect.TypeFor[bot.Market]()
	for _, name := range writes {
		if _, ok := market.MethodByName(name); ok && !slices.Contains(repeated, name) {
			t.Errorf("write_retry.go does not repeat %s", name)
		}
	}
	if len(writes) < 20 {
		t.Errorf("only %d writes were found in core", len(writes))
	}
}

// methods returns the methods of retryingMarket in a file, and those of Market that call once.
func methods(t *testing.T, file string) map[string]string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		receiver := f.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		name, ok := receiver.(*ast.Ident)
		if !ok {
			continue
		}
		writes := name.Name == "retryingMarket"
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && name.Name == "Market" {
				if called, ok := call.Fun.(*ast.Ident); ok && called.Name == "once" {
					writes = true
				}
			}
			return true
		})
		if writes {
			found[f.Name.Name] = name.Name
		}
	}
	return found
}
