package kernel

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// A request in which every field has a value is written as a response, and read back as a new request and as an edit.
func TestEveryFieldOfARequestIsAnsweredPostedAndEdited(t *testing.T) {
	t.Parallel()
	want := coretest.FullDraft("")
	answered, err := json.Marshal(ViewOrder(coretest.Order(func(o *trade.Order) { o.OrderDraft = want }), coretest.Noon))
	if err != nil {
		t.Fatal(err)
	}
	var all, some map[string]any
	if err := json.Unmarshal(answered, &all); err != nil {
		t.Fatal(err)
	}
	some = map[string]any{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[orderDraft]()) {
		if field.Anonymous {
			continue // its fields follow
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "standing" { // of a post: on a request that is there it has an address of its own
			some[name] = all[name]
		}
		if labels[name] == "" {
			t.Errorf("%s has no label for messages", name)
		}
	}
	fields, err := json.Marshal(some)
	if err != nil {
		t.Fatal(err)
	}

	var posted Sent[orderDraft]
	err = posted.read(fields)
	if diff := cmp.Diff(want, posted.Fields.Draft()); err != nil || diff != "" {
		t.Errorf("%v; answered -, posted +:\n%s", err, diff)
	}
	var edited Sent[OrderEdit]
	err = edited.read(fields)
	if diff := cmp.Diff(coretest.FullEdit(1, want), edited.Fields.Edit(1)); err != nil || diff != "" {
		t.Errorf("%v; answered -, edited +:\n%s", err, diff)
	}
}

func TestEveryFilterOfTheAPIReachesCore(t *testing.T) {
	t.Parallel()
	var asked OrderFilter
	fill(reflect.ValueOf(&asked).Elem())
	asked.Skills = []string{"Miner:120"}
	all, err := asked.Filter([]game.Category{"Miner"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range trade.Fields {
		if f.Filter != nil && *f.Filter(&all.Texts) == "" {
			t.Errorf("no parameter sets the filter by %s", f.Name)
		}
	}
	filter := reflect.ValueOf(all)
	for i := range filter.NumField() {
		name := filter.Type().Field(i).Name
		if filter.Field(i).IsZero() && name != "Means" && name != "Named" { // which the core finds out
			t.Errorf("no parameter sets %s", name)
		}
	}
}

// fill gives every field a value.
func fill(fields reflect.Value) {
	for i := range fields.NumField() {
		switch field := fields.Field(i); field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Int, reflect.Int64:
			field.SetInt(1)
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		default:
			panic("a filter has a field of another kind: " + field.Type().String())
		}
	}
}

func TestEveryFieldHasATextThatNamesIt(t *testing.T) {
	t.Parallel()
	for field, name := range labels {
		if _, known := text.Languages[0].Page[string(name)]; !known {
			t.Errorf("%s is named by the text %s, which the page has not", field, name)
		}
	}
}
