package trade_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// textFields calls f with each text of the draft, by the name of its field.
func textFields(d *trade.OrderDraft, f func(name string, text *string)) {
	fields := reflect.ValueOf(d).Elem()
	for i := range fields.NumField() {
		if text, ok := fields.Field(i).Addr().Interface().(*string); ok {
			f(fields.Type().Field(i).Name, text)
		}
	}
}

// A text that trade.Fields lacks would be neither cleaned nor checked, and missing on the page and in Discord.
func TestEveryTextIsDeclared(t *testing.T) {
	full := coretest.FullDraft("")
	declared := map[string]trade.Field{}
	names := map[string]string{}
	for _, f := range trade.Fields {
		declared[*f.Draft(&full)] = f // a full draft has the names of the fields
		for _, name := range []string{"name " + f.Name, "option " + f.Option, "column " + f.Column, "label " + f.Label} {
			if other := names[name]; other != "" {
				t.Errorf("%s and %s have the %s", other, f.Name, name)
			}
			names[name] = f.Name
		}
	}
	textFields(&full, func(name string, _ *string) {
		f, ok := declared[name]
		if !ok {
			t.Errorf("trade.Fields lacks %s", name)
			return
		}
		var edit trade.OrderEdit
		text := "edited"
		*f.Edit(&edit) = &text
		if got := reflect.ValueOf(edit).FieldByName(name); got.Interface() != &text {
			t.Errorf("the edit of %s changes another field", name)
		}
		var list trade.ListDraft
		shared := reflect.ValueOf(&list).Elem().FieldByName(name)
		if shared.IsValid() != (f.List != nil) || f.List != nil && shared.Addr().Interface() != f.List(&list) {
			t.Errorf("%s: a draft of a list has it %v, declared %v", name, shared.IsValid(), f.List != nil)
		}
		if f.InListForm && f.List == nil {
			t.Errorf("%s is in the form of a list and not shared", name)
		}
	})
	// A filter by a text is part of the digest of a saved search.
	if filter := encode(t, trade.TextFilter{}); filter != "{}" {
		t.Errorf("an empty filter is written as %s: a field lacks omitzero", filter)
	}
	filters := reflect.TypeFor[trade.TextFilter]().NumField()
	for _, f := range trade.Fields {
		if f.OnBoard && f.Filter == nil {
			t.Errorf("%s is on the board and has no filter", f.Name)
		}
		if f.Filter != nil {
			filters--
		}
	}
	if filters != 0 {
		t.Errorf("%d filters are not declared", filters)
	}
	if trade.Fields[0].Name != "itemName" {
		t.Errorf("the first is %s", trade.Fields[0].Name)
	}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAFilterAsksForAWholeTextInAnyCase(t *testing.T) {
	for _, f := range trade.Fields {
		if f.Filter == nil {
			continue
		}
		order := coretest.Order(func(o *trade.Order) { *f.Draft(&o.OrderDraft) = "Ätna  Ore" })
		for text, fits := range map[string]bool{"": true, "Ätna  Ore": true, "ätna  ORE": true, "Ore": false} {
			var filter trade.TextFilter
			*f.Filter(&filter) = text
			if filter.Fits(order) != fits {
				t.Errorf("%s: %q fits: %v", f.Name, text, !fits)
			}
		}
		var filter trade.TextFilter
		*f.Filter(&filter) = " \u200b" + strings.Repeat("x", f.Limit+1)
		var c core.Checks
		filter = filter.Clean(coretest.Forms)
		filter.Check(&c)
		if len(c.Fields) != 1 || c.Fields[0].Field != f.Option || *f.Filter(&filter) != strings.Repeat("x", f.Limit+1) {
			t.Errorf("%s: %q, %v", f.Name, *f.Filter(&filter), c.Fields)
		}
	}
}

func TestEveryRequestOfAListHasTheSharedTexts(t *testing.T) {
	full := coretest.FullDraft("")
	draft := trade.ListDraft{Name: "Guild hall", Text: "50x Iron Ore 10s\n20x Oak Log 5s", Importance: game.High}.Sharing(full)
	_, lines, err := newList(draft)
	if err != nil || len(lines) != 2 {
		t.Fatal(lines, err)
	}
	for _, line := range lines {
		for _, f := range trade.Fields[1:] {
			want := ""
			if f.List != nil {
				want = *f.Draft(&full)
			}
			if got := f.Of(line.Order); got != want {
				t.Errorf("%s of %s is %q, want %q", f.Name, line.Order.ItemName, got, want)
			}
		}
	}
}

func TestAnErrorAboutASharedTextNamesItsField(t *testing.T) {
	for _, f := range trade.Fields {
		if f.List == nil {
			continue
		}
		draft := trade.ListDraft{Name: "Guild hall", Text: "50x Iron Ore 10s", BuyerContact: "maple"}
		*f.List(&draft) = strings.Repeat("x", f.Limit+1)
		_, _, err := newList(draft)
		if got, want := coretest.FieldsOf(err), map[string]string{f.Name: f.TooLong().String()}; !maps.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", f.Name, got, want)
		}
	}
}

func TestAnEditChangesEveryField(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.OrderDraft = coretest.FullDraft("") })
	want := coretest.FullDraft(" changed")
	edited, err := order.Edit(coretest.FullEdit(order.Version, want), game.Standard(), coretest.Forms, coretest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, edited.OrderDraft); diff != "" {
		t.Errorf("edited to -, is +:\n%s", diff)
	}
}

func TestEveryTextIsCleaned(t *testing.T) {
	d := coretest.FullDraft("")
	textFields(&d, func(_ string, text *string) { *text = "\u200b " + *text + "\u200b  " })
	if diff := cmp.Diff(coretest.FullDraft(""), d.Clean(game.Standard(), coretest.Forms)); diff != "" {
		t.Errorf("clean -, is +:\n%s", diff)
	}
}

func TestEveryTextHasALimit(t *testing.T) {
	d := coretest.FullDraft("")
	textFields(&d, func(name string, text *string) {
		long := coretest.FullDraft("")
		textFields(&long, func(other string, text *string) {
			if other == name {
				*text = strings.Repeat("x", 5000)
			}
		})
		if err := long.Validate(game.Standard()); core.KindOf(err) != core.Invalid {
			t.Errorf("%s of 5000 characters is accepted: %v", name, err)
		}
	})
}

// The digest of a write that is repeated after an upgrade must be the one that was stored before. Only JSON without the
// new fields is: a field that is added to a draft or an edit has the tag `json:",omitzero"`.
func TestADraftWithoutNewFieldsIsWrittenAsBefore(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{trade.OrderDraft{}, `{"ItemName":"","Quantity":0,"MaxPrice":0,"Description":"","BuyerContact":"","InGameName":"",` +
			`"LevelRequirement":null,"Category":"","Importance":"","SignedInOnly":false}`},
		{trade.OrderEdit{}, `{"Version":0,"ItemName":null,"Quantity":null,"MaxPrice":null,"Description":null,"BuyerContact":null,` +
			`"InGameName":null,"LevelRequirement":null,"AnyLevel":false,"Category":null,"Importance":null,"SignedInOnly":null}`},
		{trade.ListDraft{}, `{"Name":"","Text":"","Description":"","BuyerContact":"","InGameName":"","Category":"","Importance":"",` +
			`"SignedInOnly":false}`},
	} {
		if got := encode(t, tt.value); got != tt.want {
			t.Errorf("%T is written as\n%s, before\n%s", tt.value, got, tt.want)
		}
	}
}

func TestEveryLimitHasANumber(t *testing.T) {
	limits := reflect.ValueOf(core.AllLimits())
	for i := range limits.NumField() {
		if limits.Field(i).IsZero() {
			t.Errorf("%s has no number", limits.Type().Field(i).Name)
		}
	}
}
