package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// limits are read from limits.json.
type limits struct {
	Layers  []string // folders that the figures of packages, types, interfaces and circles are about
	LeftOut []string // folders of tests, the laboratory and the stand-in
	Figures []limit
}

// limit says how large a figure may be, and how large it is meant to become.
type limit struct {
	Name        string
	Limit, Goal float64
}

func readLimits(file string) (l limits, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return l, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return l, fmt.Errorf("%s: %w", file, err)
	}
	return l, nil
}

// figure is a measured value, and where it is.
type figure struct {
	name  string
	value float64
	where string
}

// The names of the figures.
const (
	filesInPackage = "files in one package, most"
	methodsOfType  = "methods declared by one type, most"
	methodsOfIface = "methods declared by one interface, most"
	filesInCircle  = "files of one package in one circle, most"
	mixedFiles     = "files of core with rules beside service methods"
	circlesInPage  = "import circles in the page"
	longLines      = "Go lines over 110 columns"
	productLines   = "product lines by hand"
	unwrapped      = "product lines by hand, unwrapped"
	headless       = "headless clauses in 10,000 words of comments"
)

// measure returns every figure.
func (t *tree) measure() ([]figure, error) {
	inLayers, seen := t.handwritten(true), map[string]bool{}
	files, types, ifaces := map[string]int{}, map[string]int{}, map[string]int{}
	for _, f := range inLayers {
		files[f.folder]++
		countMethods(f, types, ifaces, seen)
	}
	folder, most := largest(files)
	typ, methods := largest(types)
	iface, methodsI := largest(ifaces)
	in, circle := t.largestCircle()
	mixed, firstMixed := t.mixedFiles()
	page := t.pageCircles()
	var circleOfPage string
	if len(page) > 0 {
		slices.Sort(page[0])
		circleOfPage = strings.Join(page[0], ", ")
	}
	long, longest := t.longLines()
	lines, whole, err := t.productLines()
	if err != nil {
		return nil, err
	}
	clauses, words := t.headlessClauses()
	rate := math.Round(float64(clauses)/float64(max(words, 1))*100_000) / 10 // one decimal
	return []figure{
		{filesInPackage, float64(most), folder},
		{methodsOfType, float64(methods), typ},
		{methodsOfIface, float64(methodsI), iface},
		{filesInCircle, float64(circle), in},
		{mixedFiles, float64(mixed), firstMixed},
		{circlesInPage, float64(len(page)), circleOfPage},
		{longLines, float64(long), longest},
		{productLines, float64(lines), ""},
		{unwrapped, float64(whole), ""},
		{headless, rate, fmt.Sprintf("%d in %d words", clauses, words)},
	}, nil
}

// handwritten returns the files that nothing generates, of the layers only or all.
func (t *tree) handwritten(inLayers bool) (found []*goFile) {
	for _, f := range t.files {
		if !f.generated && (!inLayers || t.limits.layer(f.folder) != "") {
			found = append(found, f)
		}
	}
	return found
}

// countMethods counts the methods of types and interfaces. A method that files for several systems declare
// counts once: seen has those that were counted.
func countMethods(f *goFile, types, ifaces map[string]int, seen map[string]bool) {
	for _, decl := range f.syntax.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv != nil {
			typ := f.folder + "." + receiver(d)
			if method := typ + "." + d.Name.Name; !seen[method] {
				seen[method] = true
				types[typ]++
			}
		}
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			s := spec.(*ast.TypeSpec)
			iface, ok := s.Type.(*ast.InterfaceType)
			if !ok {
				continue
			}
			for _, m := range iface.Methods.List {
				ifaces[f.folder+"."+s.Name.Name] += len(m.Names) // embedded ones have none
			}
		}
	}
}

// largest returns the name with the largest count; of equal ones the first by name.
func largest(counts map[string]int) (name string, most int) {
	for n, count := range counts {
		if count > most || count == most && n < name {
			name, most = n, count
		}
	}
	return name, most
}

// largestCircle returns the package with most files that use each other's definitions in a circle.
func (t *tree) largestCircle() (folder string, most int) {
	byFolder := map[string][]*goFile{}
	for _, f := range t.handwritten(true) {
		byFolder[f.folder] = append(byFolder[f.folder], f)
	}
	sizes := map[string]int{}
	for folder, files := range byFolder {
		for _, circle := range circles(files, func(f *goFile) []*goFile {
			elsewhere := func(to *goFile) bool { return to.folder != f.folder || to.generated }
			return slices.DeleteFunc(f.targets(), elsewhere)
		}) {
			sizes[folder] = max(sizes[folder], len(circle))
		}
	}
	return largest(sizes)
}

// targets returns the files whose definitions a file uses.
func (f *goFile) targets() (all []*goFile) {
	for u := range f.uses {
		if !slices.Contains(all, u.file) {
			all = append(all, u.file)
		}
	}
	slices.SortFunc(all, func(a, b *goFile) int { return strings.Compare(a.path, b.path) })
	return all
}

const (
	maxColumns = 110
	tabColumns = 4
)

// longLines counts the lines of Go over the limit, and returns the file with most of them.
func (t *tree) longLines() (count int, file string) {
	byFile := map[string]int{}
	for _, f := range t.handwritten(false) {
		for _, line := range f.lines {
			if len([]rune(line))+(tabColumns-1)*strings.Count(line, "\t") > maxColumns {
				count++
				byFile[f.path]++
			}
		}
	}
	file, _ = largest(byFile)
	return count, file
}

// productLines counts the lines of the layers, of the page and of the queries that are written by hand. In the
// second count no line of Go is wrapped.
func (t *tree) productLines() (count, whole int, err error) {
	for _, f := range t.page {
		count += strings.Count(f.text, "\n")
	}
	for _, file := range t.sql {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, 0, err
		}
		count += bytes.Count(text, []byte("\n"))
	}
	whole = count
	for _, f := range t.handwritten(true) {
		count += len(f.lines)
		whole += unwrappedLines([]byte(strings.Join(f.lines, "\n") + "\n"))
	}
	return count, whole, nil
}

// headlessClause finds clauses whose subject has no name.
var headlessClause = regexp.MustCompile(`(?i)\b(?:(?:is|of|by) what|that of|those of|whose)\b`)

// headlessClauses counts such clauses, and the words of the comments that they are in.
func (t *tree) headlessClauses() (clauses, words int) {
	for _, f := range t.handwritten(false) {
		for _, group := range f.syntax.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			clauses += len(headlessClause.FindAllString(text, -1))
			words += len(strings.Fields(text))
		}
	}
	return clauses, words
}

// compare returns the table of figures, and an error that names those above their limit, and those without
// one.
func (l limits) compare(figures []figure) (string, error) {
	var (
		text  strings.Builder
		wrong []error
		w     = tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	)
	fmt.Fprintln(w, "figure\tnow\tlimit\tgoal\twhere")
	for _, f := range figures {
		at := slices.IndexFunc(l.Figures, func(l limit) bool { return l.Name == f.name })
		if at < 0 {
			wrong = append(wrong, fmt.Errorf("%q has no limit", f.name))
			continue
		}
		limit := l.Figures[at]
		now, most, goal := number(f.value), number(limit.Limit), number(limit.Goal)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", f.name, now, most, goal, shortened(f.where))
		if f.value > limit.Limit {
			wrong = append(wrong, fmt.Errorf("%s: %s, the limit is %s (%s)", f.name, now, most, f.where))
		}
	}
	for _, limit := range l.Figures {
		if !slices.ContainsFunc(figures, func(f figure) bool { return f.name == limit.Name }) {
			wrong = append(wrong, fmt.Errorf("no figure is called %q", limit.Name))
		}
	}
	_ = w.Flush() // it writes to memory
	return text.String(), errors.Join(wrong...)
}

func number(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

func shortened(where string) string {
	if letters := []rune(where); len(letters) > 60 {
		return string(letters[:60]) + "…"
	}
	return where
}
