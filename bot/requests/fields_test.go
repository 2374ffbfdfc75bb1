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
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// A request in which every field has a value goes through the commands, the forms and the card. A field that one of them lacks
// shows as a difference.
func TestEveryFieldOfARequestIsInTheCommandsTheFormsAndTheCard(t *testing.T) {
	b, tr := newRequests(), translator()
	want := coretest.FullDraft("")
	order := coretest.Order(func(o *trade.Order) { o.OrderDraft = want })
	typed := orderValues(order, tr.Game)
	typed["signed-in-only"] = "true" // a switch: no form has it
	typed["no-programs"] = "true"    // the same, and an option only where there are programs

	names := slices.Sorted(maps.Keys(typed))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "no-programs" })
	for _, editing := range []bool{false, true} {
		var options []string
		for _, option := range OrderOptions(tr.Game, editing) {
			options = append(options, option.Name)
		}
		if len(options) >= discord.MaxOptions {
			t.Errorf("%d options: Discord takes %d of a command", len(options), discord.MaxOptions)
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

	inForms := map[string]string{"signed-in-only": "true", "no-programs": "true"}
	for part := range int64(2) {
		form := orderForm(tr, discord.CustomID{}, part+1, func(name string) string { return typed[name] })
		if len(form.Fields) > fieldsOfForm {
			t.Errorf("form %d has %d fields: Discord shows %d", part+1, len(form.Fields), fieldsOfForm)
		}
		for _, field := range form.Fields {
			inForms[field.Name] = field.Value
			if field.Label == "" {
				t.Errorf("%s has no label: core/text needs field_%s", field.Name, field.Name)
			}
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

	card := drawn(t, b.Card(tr, order, people.Account{}, true))
	fields := reflect.ValueOf(want)
	for i := range fields.NumField() {
		if text, ok := fields.Field(i).Interface().(string); ok && !strings.Contains(card, text) {
			t.Errorf("the card does not show %s", text)
		}
	}
}

// Whatever trade.Fields declares to be a detail or in rows is shown: here the description, too.
func TestCardsAndLinesShowWhatIsDeclared(t *testing.T) {
	b, tr := newRequests(), translator()
	description := &trade.Fields[1]
	before := *description
	t.Cleanup(func() { *description = before })
	description.OnCard, description.InRow = true, true

	order := coretest.Order(func(o *trade.Order) { o.OrderDraft = coretest.FullDraft("") })
	items, _ := b.OrderItems(kernel.Input{Tr: tr}, []trade.ListedOrder{{Order: order}}, nil)
	line := string(items[0].Text)
	card, small := drawn(t, b.Card(tr, order, people.Account{}, true)), drawn(t, b.SmallCard(tr, order, people.Account{}))
	for _, f := range trade.Fields {
		text := f.Of(order)
		if f.OnCard && (!strings.Contains(card, text) || !strings.Contains(small, text)) {
			t.Errorf("%s is not on both cards:\n%s\n%s", f.Name, card, small)
		}
		if f.InRow && !strings.Contains(line, text) {
			t.Errorf("%s is not in the line %s", f.Name, line)
		}
	}
	if n := strings.Count(small, "Description: "+order.Description); n != 1 {
		t.Errorf("the small card shows the detail %d times:\n%s", n, small)
	}
}

func drawn(t *testing.T, card *discord.Card) string {
	t.Helper()
	var drawn strings.Builder
	asIs := json.NewEncoder(&drawn)
	asIs.SetEscapeHTML(false)
	if err := asIs.Encode(discord.NewMessage("", []*discord.Card{card}, nil).Components); err != nil {
		t.Fatal(err)
	}
	return drawn.String()
}

func newRequests() Requests {
	return New(&kernel.Kernel{Drawer: kernel.Drawer{
		Market: market.New(nil, market.Options{}), Now: func() time.Time { return coretest.Noon }, Game: game.Standard(),
		SiteName: "Tradepost", PublicURL: "https://market.example",
	}})
}

func translator() kernel.Translator {
	return kernel.Translator{Printer: msg.Printer{Language: msg.Languages[0]}, Game: game.Standard()}
}
