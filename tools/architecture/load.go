package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree is the product: its Go files, and those of the page.
type tree struct {
	root   string
	limits limits
	fset   *token.FileSet
	files  []*goFile          // product files of Go, by path
	byPath map[string]*goFile // relative to the root
	page   []pageFile
	sql    []string // paths of the files with queries
}

// goFile is a product file of Go.
type goFile struct {
	path      string // relative to the root
	folder    string
	lines     []string
	syntax    *ast.File
	generated bool
	decls     []declaration
	uses      map[use]bool // definitions of other files of the layers
}

// declaration is a top-level declaration, such as "Order", "Order.Accept" or "NewOrder".
type declaration struct {
	name     string
	from, to token.Pos
}

// use is a declaration of this file that uses one of another file.
type use struct {
	from   string // the declaration that uses it
	file   *goFile
	target string
}

// layer returns the layer of a folder; empty for none.
func (l limits) layer(folder string) string {
	if l.isLeftOut(folder) {
		return ""
	}
	for _, layer := range l.Layers {
		if folder == layer || strings.HasPrefix(folder, layer+"/") {
			return layer
		}
	}
	return ""
}

func (l limits) isLeftOut(folder string) bool {
	return slices.ContainsFunc(l.LeftOut, func(out string) bool {
		return folder == out || strings.HasPrefix(folder, out+"/")
	})
}

// load reads the product's files and finds which definitions each file of a layer uses.
func load(root string, l limits) (*tree, error) {
	t := &tree{root: root, limits: l, fset: token.NewFileSet(), byPath: map[string]*goFile{}}
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			name := d.Name()
			if name == "node_modules" || name == "testdata" || name == "dist" || name == "tools" ||
				rel != "." && strings.HasPrefix(name, ".") || l.isLeftOut(rel) {
				return fs.SkipDir
			}
			return nil
		}
		return t.add(full, rel)
	})
	if err != nil {
		return nil, err
	}
	if len(t.files) == 0 {
		return nil, errors.New("no product file of Go is found")
	}
	return t, t.resolve()
}

// add reads a file if it is one of the product's.
func (t *tree) add(full, rel string) error {
	switch path.Ext(rel) {
	case ".go":
		if strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(t.fset, full, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f := &goFile{
			path: rel, folder: path.Dir(rel), lines: splitLines(text), syntax: syntax,
			generated: ast.IsGenerated(syntax), uses: map[use]bool{},
		}
		f.decls = declarationsOf(syntax)
		t.files, t.byPath[rel] = append(t.files, f), f
	case ".ts", ".tsx":
		if isPageTest(rel) || !strings.HasPrefix(rel, "dashboard/src/") || strings.HasSuffix(rel, ".gen.ts") {
			return nil
		}
		text, err := os.ReadFile(full)
		t.page = append(t.page, pageFile{path: rel, text: string(text)})
		return err
	case ".sql":
		if strings.HasPrefix(rel, "sql/queries/") {
			t.sql = append(t.sql, full)
		}
	}
	return nil
}

func splitLines(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func declarationsOf(file *ast.File) (all []declaration) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d) + "." + name
			}
			all = append(all, declaration{name, d.Pos(), d.End()})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					all = append(all, declaration{s.Name.Name, s.Pos(), s.End()})
				case *ast.ValueSpec:
					all = append(all, declaration{s.Names[0].Name, s.Pos(), s.End()})
				}
			}
		}
	}
	return all
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// declaredAt returns the top-level declaration that contains a position.
func (f *goFile) declaredAt(pos token.Pos) string {
	for _, d := range f.decls {
		if d.from <= pos && pos < d.to {
			return d.name
		}
	}
	return ""
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

// resolve type-checks the packages of the layers and notes the uses of definitions.
func (t *tree) resolve() error {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module"}
	for _, layer := range t.limits.Layers {
		if _, err := os.Stat(filepath.Join(t.root, layer)); err == nil {
			args = append(args, "./"+layer+"/...")
		}
	}
	list := exec.Command("go", args...)
	var complaints bytes.Buffer
	list.Dir, list.Stderr = t.root, &complaints
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w: %s", err, complaints.String())
	}
	root, err := filepath.Abs(t.root)
	if err != nil {
		return err
	}
	exports := map[string]string{}
	p := packages{checked: map[string]*types.Package{}}
	p.outside = importer.ForCompiler(t.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	in := t.byFileOf()
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		exports[pkg.ImportPath] = pkg.Export
		if pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		folder, err := filepath.Rel(root, pkg.Dir)
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if t.limits.layer(folder) == "" {
			continue
		}
		if err := t.check(p, pkg, folder, in); err != nil {
			return err
		}
	}
}

// packages imports the packages that were checked from their sources, and others from what the compiler has
// exported.
type packages struct {
	checked map[string]*types.Package
	outside types.Importer
}

func (p packages) Import(path string) (*types.Package, error) {
	if pkg, ok := p.checked[path]; ok {
		return pkg, nil
	}
	return p.outside.Import(path)
}

// byFileOf returns the files by the name that their positions have.
func (t *tree) byFileOf() map[string]*goFile {
	in := map[string]*goFile{}
	for _, f := range t.files {
		in[t.fset.Position(f.syntax.Pos()).Filename] = f
	}
	return in
}

func (t *tree) check(p packages, pkg listed, folder string, in map[string]*goFile) error {
	var syntax []*ast.File
	for _, name := range pkg.GoFiles {
		f := t.byPath[path.Join(folder, name)]
		if f == nil {
			return fmt.Errorf("%s is not read", path.Join(folder, name))
		}
		syntax = append(syntax, f.syntax)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: p}
	checked, err := conf.Check(pkg.ImportPath, t.fset, syntax, info)
	if err != nil {
		return fmt.Errorf("check %s: %w", pkg.ImportPath, err)
	}
	p.checked[pkg.ImportPath] = checked
	for ident, object := range info.Uses {
		if !isDefinition(object) {
			continue
		}
		from := in[t.fset.Position(ident.Pos()).Filename]
		to := in[t.fset.Position(object.Pos()).Filename]
		if from == nil || to == nil || from == to {
			continue
		}
		if t.limits.layer(from.folder) != t.limits.layer(to.folder) {
			continue
		}
		from.uses[use{from.declaredAt(ident.Pos()), to, to.declaredAt(object.Pos())}] = true
	}
	return nil
}

// isDefinition reports whether an object is declared by a package, or is a method or field.
func isDefinition(o types.Object) bool {
	switch o := o.(type) {
	case *types.PkgName, *types.Builtin, *types.Nil, *types.Label:
		return false
	case *types.Var:
		if o.IsField() {
			return true
		}
	case *types.Func:
		return o.Pkg() != nil
	}
	return o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}
