package docs

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed texts.md
var textsFile string

// texts are the descriptions of texts.md.
type texts struct {
	tags       []*huma.Tag
	operations map[string]string // by id
	fields     map[string]string // by schema and name, as Order.quantity, or by name alone
	examples   map[string]string // of fields of that name, by name
}

var readTexts = sync.OnceValue(func() texts { return parseTexts(textsFile) })

// parseTexts reads lines: "# tag: text" begins a tag, "## id: text" is an operation, "- name: text" a field,
// and "= name: value" an example. Lines without a mark continue the text before.
func parseTexts(file string) texts {
	t := texts{operations: map[string]string{}, fields: map[string]string{}, examples: map[string]string{}}
	kind, name, text := "", "", ""
	flush := func() {
		text = strings.TrimSpace(text)
		switch kind {
		case "#":
			t.tags = append(t.tags, &huma.Tag{Name: name, Description: text})
		case "##":
			t.operations[name] = text
		case "-":
			t.fields[name] = text
		case "=":
			t.examples[name] = text
		}
	}
	for line := range strings.Lines(file) {
		mark, rest, _ := strings.Cut(line, " ")
		if !slices.Contains([]string{"#", "##", "-", "="}, mark) {
			text += line
			continue
		}
		flush()
		kind = mark
		name, text, _ = strings.Cut(rest, ": ")
		name = strings.TrimSpace(name)
	}
	flush()
	return t
}

// fill adds the texts where a description has none of its own. Tags without operations are left out: those
// of features that are off.
func (t texts) fill(document *huma.OpenAPI) {
	used := map[string]bool{}
	for _, item := range document.Paths {
		for _, op := range operationsOf(item) {
			for _, tag := range op.Tags {
				used[tag] = true
			}
			if op.Description == "" {
				op.Description = t.operations[op.OperationID]
			}
			for _, p := range op.Parameters {
				if example := t.exampleOf(p.Name, p.Schema); p.Example == nil && len(p.Schema.Examples) == 0 {
					p.Example = example
				}
			}
		}
	}
	document.Tags = nil
	for _, tag := range t.tags {
		if used[tag.Name] {
			document.Tags = append(document.Tags, tag)
		}
	}
	for shape, schema := range document.Components.Schemas.Map() {
		for name, field := range schema.Properties {
			t.describe(shape, name, field)
		}
	}
}

func (t texts) describe(shape, name string, field *huma.Schema) {
	if own, known := t.fields[shape+"."+name]; known && field.Description == "" {
		field.Description = own
	}
	if field.Description == "" {
		field.Description = t.fields[name]
	}
	if example := t.exampleOf(name, field); example != nil && len(field.Examples) == 0 {
		field.Examples = []any{example}
	}
}

// exampleOf returns an example of a text or a number, of one that may be null, or of a list of them; nil for
// none.
func (t texts) exampleOf(name string, of *huma.Schema) any {
	switch {
	case of.Ref != "" || len(of.Enum) > 0 || of.Format == "date-time":
		return nil
	case len(of.AnyOf) > 0: // it may be null
		return t.exampleOf(name, of.AnyOf[0])
	case of.Type == huma.TypeArray:
		if one := t.exampleOf(name, of.Items); one != nil {
			return []any{one}
		}
		return nil
	}
	var example any
	if json.Unmarshal([]byte(t.examples[name]), &example) != nil {
		return nil
	}
	_, isText := example.(string)
	if isText && of.Type == huma.TypeString || !isText && of.Type == huma.TypeInteger {
		return example
	}
	return nil
}

// operationsOf returns the operations at an address, in the order in which people read them.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}
