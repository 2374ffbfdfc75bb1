package main

import (
	"go/ast"
	"strings"
)

// mixedFiles counts the files of core that declare methods of a service beside rules, and returns the first.
func (t *tree) mixedFiles() (count int, first string) {
	for _, f := range t.handwritten(true) {
		if t.limits.layer(f.folder) == "core" && f.mixes() {
			if count++; first == "" {
				first = f.path
			}
		}
	}
	return count, first
}

// mixes reports whether a file has methods of a service and rules. A rule is a function of the package's
// interface or a method of one of its types, and takes no context.
func (f *goFile) mixes() bool {
	services, rules := false, false
	for _, decl := range f.syntax.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		typ := ""
		if d.Recv != nil {
			typ = receiver(d)
		}
		switch {
		case typ == "Service" || strings.HasSuffix(typ, "Acts"):
			services = true
		case typ == "" && d.Name.IsExported() || ast.IsExported(typ):
			rules = rules || !takesContext(d)
		}
	}
	return services && rules
}

func takesContext(d *ast.FuncDecl) bool {
	if len(d.Type.Params.List) == 0 {
		return false
	}
	typ, ok := d.Type.Params.List[0].Type.(*ast.SelectorExpr)
	return ok && typ.Sel.Name == "Context"
}
