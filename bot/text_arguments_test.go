package bot

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// The printer panics in tests, but only for what a test prints. This reads every call in the bot's source.
func TestEveryCallNamesThePlacesOfItsMessage(t *testing.T) {
	t.Parallel()
	named := messageKeys(t)
	calls := 0
	printers := []string{"text", "plain", "Text", "Plain", "Sprint"}
	check := func(at token.Position, call *ast.CallExpr) {
		if name := calledName(call.Fun); !slices.Contains(printers, name) || len(call.Args) == 0 || call.Ellipsis.IsValid() {
			return
		}
		key, ok := named[keyName(call.Args[0])]
		if !ok {
			return
		}
		calls++
		var names []string
		for i := 1; i < len(call.Args); i += 2 {
			names = append(names, literal(call.Args[i]))
		}
		slices.Sort(names)
		places := slices.Sorted(maps.Keys(msg.Languages[0].Messages[key].Places()))
		if len(call.Args)%2 == 0 || !slices.Equal(names, places) {
			t.Errorf("%s: %s has the places %q, and the call names %q", at, key, places, names)
		}
	}
	for _, dir := range ownDirs(t) {
		eachCall(t, dir, check)
	}
	if calls < 400 {
		t.Errorf("found %d calls: does the printer have new methods?", calls)
	}
}

// Every error in the source has a sentence, with the places that the call names, and every sentence an error.
func TestEveryErrorNamesThePlacesOfItsSentence(t *testing.T) {
	t.Parallel()
	constants := map[string]string{"codeKeyReused": "key_reused", "CodeCommitUnknown": core.CodeCommitUnknown, "codeNoPrice": "list_line_price"}
	used := map[string]bool{}
	named := func(where any, code string, names ...string) {
		used[code] = true
		slices.Sort(names)
		sentence, ok := msg.Languages[0].Errors[code]
		if places := slices.Sorted(maps.Keys(sentence.Places())); !ok || !slices.Equal(names, places) {
			t.Errorf("%s: the error %s is %q with the places %q, and the call names %q", where, code, sentence, places, names)
		}
	}
	for _, f := range trade.Fields {
		named("trade.Fields", f.TooLong().Code, "limit")
		if f.Required {
			named("trade.Fields", f.Missing().Code)
		}
	}
	for _, dir := range slices.Concat(ownDirs(t), productDirs(t, "../core"), productDirs(t, "../web"), productDirs(t, "../sql/postgres")) {
		eachCall(t, dir, func(at token.Position, call *ast.CallExpr) {
			name := calledName(call.Fun)
			if name != "NewText" && name != "TooLong" || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return
			}
			code := cmp.Or(literal(call.Args[0]), constants[calledName(call.Args[0])])
			switch {
			case code == "":
				if file := filepath.Base(at.Filename); file != "fields.go" && file != "limits.go" {
					t.Errorf("%s: the code of an error is one literal, so that this test finds it", at)
				}
			case name == "TooLong":
				named(at, code, "limit")
			default:
				var names []string
				for i := 1; i < len(call.Args); i += 2 {
					names = append(names, literal(call.Args[i]))
				}
				named(at, code, names...)
			}
		})
	}
	if len(used) < 200 {
		t.Errorf("found %d errors: are they made in another way?", len(used))
	}
	for code := range msg.Languages[0].Errors {
		if !used[code] {
			t.Errorf("no error has the code %s", code)
		}
	}
}

// ownDirs returns the directories of the bot's packages that say something: its own and the nouns'.
func ownDirs(t *testing.T) []string {
	t.Helper()
	dirs := []string{"."}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains([]string{"discord", "discordtest", "emojis", "testdata", "text"}, e.Name()) {
			dirs = append(dirs, e.Name())
		}
	}
	if len(dirs) < 10 {
		t.Fatalf("found %d directories", len(dirs))
	}
	return dirs
}

// eachCall calls do for every call of a function in a directory's source.
func eachCall(t *testing.T, dir string, do func(at token.Position, call *ast.CallExpr)) {
	t.Helper()
	eachNode(t, dir, func(at token.Position, n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			do(at, call)
		}
	})
}

// eachNode calls do for every node of a directory's source.
func eachNode(t *testing.T, dir string, do func(at token.Position, n ast.Node)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if n != nil {
				do(fset.Position(n.Pos()), n)
			}
			return true
		})
	}
}

// calledName returns the name of a function or method, without its package.
func calledName(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// literal returns the text of a string literal, else nothing.
func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}

// keyName returns Name of an expression msg.Name, else nothing.
func keyName(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "msg" {
			return s.Sel.Name
		}
	}
	return ""
}

// messageKeys returns the keys of messages by the names of their constants.
func messageKeys(t *testing.T) map[string]msg.Key {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../core/text/keys.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]msg.Key{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			named[spec.Names[0].Name] = msg.Key(strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`))
		}
		return true
	})
	return named
}
