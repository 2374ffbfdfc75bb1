package requests

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// A request in which every field has a value goes through the commands, the forms and the card. A field that one of them lacks
// shows as a difference.
func TestEveryFieldOfARequestIsInTheCommandsTheFormsAndTheCard(t *testing.T) {
	b := New(&kernel.Kernel{Drawer: kernel.Drawer{
		Market: market.New(nil, market.Options{}), Now: func() time.Time { return coretest.Noon }, Game: game.StandardGame(),
		SiteName: "Tradepost", PublicURL: "https://market.example",
	}})
	tr := kernel.Translator{Printer: msg.Printer{Language: msg.Languages[0]}, Game: game.StandardGame()}
	want := coretest.FullDraft("")
	order := coretest.Order(func(o *trade.Order) { o.OrderDraft = want })
	typed := orderValues(order, tr.Game)
	typed["signed-in-only"] = "true" // a switch: no form has it

	names := slices.Sorted(maps.Keys(typed))
	for _, editing := range []bool{false, true} {
		var options []string
		for _, option := range OrderOptions(tr.Game, editing) {
			options = append(options, option.Name)
		}
		slices.Sort(options)
		if diff := cmp.Diff(names, options); diff != "" {
			t.Errorf("fields -, options (editing %v) +:\n%s", editing, diff)
		}
	}

	in := kernel.Input{Tr: tr, Options: typed}
	draft, err := orderDraft(in)
	if diff := cmp.Diff(want, draft); err != nil || diff != "" {
		t.Errorf("%v; typed -, read as a draft +:\n%s", err, diff)
	}
	edit, err := orderEdit(in, 1, typed)
	if diff := cmp.Diff(coretest.FullEdit(1, want), edit); err != nil || diff != "" {
		t.Errorf("%v; typed -, read as an edit +:\n%s", err, diff)
	}

	inForms := map[string]string{"signed-in-only": "true"}
	for part := range int64(2) {
		form := orderForm(tr, discord.CustomID{}, part+1, func(name string) string { return typed[name] })
		if len(form.Fields) > fieldsOfForm {
			t.Errorf("form %d has %d fields: Discord shows %d", part+1, len(form.Fields), fieldsOfForm)
		}
		for _, field := range form.Fields {
			inForms[field.Name] = field.Value
			for _, option := range field.Options {
				if option.Default {
					inForms[field.Name] = option.Value
				}
			}
		}
	}
	if diff := cmp.Diff(typed, inForms); diff != "" {
		t.Errorf("typed -, in the forms +:\n%s", diff)
	}

	var drawn strings.Builder
	asIs := json.NewEncoder(&drawn)
	asIs.SetEscapeHTML(false)
	message := discord.NewMessage("", []*discord.Card{b.Card(tr, order, people.Account{}, true)}, nil)
	if err := asIs.Encode(message.Components); err != nil {
		t.Fatal(err)
	}
	card := drawn.String()
	fields := reflect.ValueOf(want)
	for i := range fields.NumField() {
		if text, ok := fields.Field(i).Interface().(string); ok && !strings.Contains(card, text) {
			t.Errorf("the card does not show %s", text)
		}
	}
}
