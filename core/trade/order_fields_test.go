package trade_test

import (
	"encoding/json"
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

func TestAnEditChangesEveryField(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.OrderDraft = coretest.FullDraft("") })
	want := coretest.FullDraft(" changed")
	edited, err := order.Edit(coretest.FullEdit(order.Version, want), game.StandardGame(), coretest.Forms, coretest.Noon)
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
	if diff := cmp.Diff(coretest.FullDraft(""), d.Clean(game.StandardGame(), coretest.Forms)); diff != "" {
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
		if err := long.Validate(game.StandardGame()); core.KindOf(err) != core.Invalid {
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
	} {
		got, err := json.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != tt.want {
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
