package bot_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tradepost/bot/kernel"
)

// A write under a key that the bot does not repeat tells a user that it failed, although it may have been saved.
func TestEveryWriteIsRepeatedUntilItsOutcomeIsKnown(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../core/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	calls := map[string][]string{} // of each function of core
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, f := range functions(t, file) {
			calls[f.Name.Name] = append(calls[f.Name.Name], called(f)...)
		}
	}
	repeated := []string{}
	for _, f := range functions(t, "kernel/write_retry.go") {
		repeated = append(repeated, f.Name.Name)
	}

	var writes func(name string, depth int) bool
	writes = func(name string, depth int) bool {
		return slices.ContainsFunc(calls[name], func(callee string) bool {
			return callee == "once" || depth > 0 && writes(callee, depth-1)
		})
	}
	found := 0
	for method := range reflect.TypeFor[kernel.Market]().Methods() {
		if !writes(method.Name, 4) {
			continue
		}
		found++
		if !slices.Contains(repeated, method.Name) {
			t.Errorf("write_retry.go does not repeat %s", method.Name)
		}
	}
	if found < 20 {
		t.Errorf("only %d writes were found", found)
	}
}

func functions(t *testing.T, file string) (found []*ast.FuncDecl) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			found = append(found, f)
		}
	}
	return found
}

// called returns the names of what a function calls.
func called(f *ast.FuncDecl) (names []string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := call.Fun
		if typed, ok := fun.(*ast.IndexExpr); ok {
			fun = typed.X
		}
		switch fun := fun.(type) {
		case *ast.Ident:
			names = append(names, fun.Name)
		case *ast.SelectorExpr:
			names = append(names, fun.Sel.Name)
		}
		return true
	})
	return names
}
