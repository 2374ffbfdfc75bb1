package markettest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keyed is the name of the function that runs a write under its key, and operationAt the place of the
// operation among its arguments.
const (
	keyed       = "Write"
	operationAt = 3
)

// parsed returns the product's files below a folder by the folder that they are in.
func parsed(t *testing.T, root string) map[string][]*ast.File {
	t.Helper()
	files := map[string][]*ast.File{}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files[filepath.Dir(path)] = append(files[filepath.Dir(path)], file)
		return err
	}))
	return files
}

// writesOf reads the writes with a key from the sources of core and the packages below: the names of their
// operations, and the exported methods that run one.
func writesOf(t *testing.T) (operations, methods map[string]bool) {
	t.Helper()
	operations, methods = map[string]bool{}, map[string]bool{}
	for folder, files := range parsed(t, "..") {
		var funcs []*ast.FuncDecl
		for _, file := range files {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && f.Name.Name != keyed {
					funcs = append(funcs, f)
				}
			}
		}
		p := sources{t: t, folder: folder, funcs: funcs, operations: operations}
		for _, f := range funcs {
			p.operationsOf(f, keyed, operationAt)
		}
		writes := map[string]bool{keyed: true}
		for grown := true; grown; {
			grown = false
			for _, f := range funcs {
				if !writes[f.Name.Name] && slices.ContainsFunc(calls(f),
					func(c call) bool { return writes[c.name] }) {
					writes[f.Name.Name], grown = true, true
				}
			}
		}
		for _, f := range funcs {
			if f.Recv != nil && f.Name.IsExported() && writes[f.Name.Name] {
				methods[f.Name.Name] = true
			}
		}
	}
	return operations, methods
}

// sources are the functions of one package.
type sources struct {
	t          *testing.T
	folder     string
	funcs      []*ast.FuncDecl
	operations map[string]bool
}

// operationsOf notes the operations that a function gives to another as one of its arguments: each a literal,
// a call that returns one of the literals that it is given, or a parameter that the callers of the function
// give it.
func (p sources) operationsOf(f *ast.FuncDecl, called string, at int) {
	p.t.Helper()
	for _, c := range calls(f) {
		if c.name != called {
			continue
		}
		switch arg := c.args[at].(type) {
		case *ast.BasicLit:
			operation, err := strconv.Unquote(arg.Value)
			must(p.t, err)
			p.operations[operation] = true
		case *ast.CallExpr:
			for _, one := range arg.Args {
				operation, err := strconv.Unquote(one.(*ast.BasicLit).Value)
				must(p.t, err)
				p.operations[operation] = true
			}
		case *ast.Ident:
			place := parameter(f, arg.Name)
			if place < 0 {
				p.t.Fatalf("%s: %s names its operation neither by a literal nor by a parameter", p.folder,
					f.Name.Name)
			}
			for _, caller := range p.funcs {
				p.operationsOf(caller, f.Name.Name, place)
			}
		default:
			p.t.Fatalf("%s: %s names its operation neither by a literal nor by a parameter", p.folder,
				f.Name.Name)
		}
	}
}

// parameter returns the place of a parameter, -1 for none of that name.
func parameter(f *ast.FuncDecl, name string) int {
	at := 0
	for _, field := range f.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == name {
				return at
			}
			at++
		}
	}
	return -1
}

type call struct {
	name string
	args []ast.Expr
}

// calls returns the calls that a function makes to functions of its package and to methods of its receiver.
func calls(f *ast.FuncDecl) (all []call) {
	receiver := ""
	if f.Recv != nil && len(f.Recv.List[0].Names) == 1 {
		receiver = f.Recv.List[0].Names[0].Name
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := c.Fun
		if generic, ok := fun.(*ast.IndexExpr); ok {
			fun = generic.X
		}
		switch fun := fun.(type) {
		case *ast.Ident:
			all = append(all, call{fun.Name, c.Args})
		case *ast.SelectorExpr:
			if x, ok := fun.X.(*ast.Ident); ok && (x.Name == receiver || x.Name == "core") {
				all = append(all, call{fun.Sel.Name, c.Args})
			}
		}
		return true
	})
	return all
}

// A write under a key that is not a core.Write is not repeated, so a user may read that it failed although it
// was saved. Those of an actor that run a transaction by themselves have a reason.
func TestWritesOfActorsAreRepeated(t *testing.T) {
	t.Parallel()
	alone := map[string]string{
		"endSessions": "ending a session that has ended already is fine, and the page asks again",
	}
	for folder, files := range parsed(t, "..") {
		for _, file := range files {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || f.Body == nil || !takesActor(f) || !runsTransaction(f) || alone[f.Name.Name] != "" {
					continue
				}
				if folder != ".." { // core itself runs the writes
					t.Errorf("%s: %s runs a transaction without core.Write", folder, f.Name.Name)
				}
			}
		}
	}
}

func takesActor(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		typ, ok := p.Type.(*ast.SelectorExpr)
		return ok && typ.Sel.Name == "Actor"
	})
}

func runsTransaction(f *ast.FuncDecl) (runs bool) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		runs = runs || ok && s.Sel.Name == "Atomically"
		return true
	})
	return runs
}
