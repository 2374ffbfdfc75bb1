package bot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	msg "tradepost/core/text"
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

// Errors are written in core, in English; the page shows them, and the other languages have them by their codes.
func TestEveryErrorHasAsManyArgumentsAsItsSentenceHasPlaces(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	texts := 0
	for _, dir := range slices.Concat(ownDirs(t), productDirs(t, "../core"), productDirs(t, "../web")) {
		eachCall(t, dir, func(at token.Position, call *ast.CallExpr) {
			if name := calledName(call.Fun); name != "NewText" && name != "newText" || len(call.Args) < 2 || call.Ellipsis.IsValid() {
				return
			}
			code, english := literal(call.Args[0]), literal(call.Args[1])
			if code == "" || english == "" {
				return
			}
			texts++
			args := len(call.Args) - 2
			if found := len(verb.FindAllString(english, -1)); found != args {
				t.Errorf("%s: %q has %d places and %d arguments", at, english, found, args)
			}
			for _, l := range msg.Languages[1:] {
				for _, place := range placeholders(l.Errors[code]) {
					if n, _ := strconv.Atoi(strings.Trim(place, "{}")); n >= args {
						t.Errorf("%s: %s has the place %s in %s, and %d arguments", at, code, place, l.Locales[0], args)
					}
				}
			}
		})
	}
	if texts < 200 {
		t.Errorf("found %d texts: are they made in another way?", texts)
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
			if call, ok := n.(*ast.CallExpr); ok {
				do(fset.Position(call.Pos()), call)
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
