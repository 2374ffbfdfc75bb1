package lists

import (
	"testing"

	"tradepost/bot/kernel"
	"tradepost/core/game"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

func TestTheFormOfAListHasRoomForItsFields(t *testing.T) {
	t.Parallel()
	typed := map[string]string{"name": "Guild hall", "lines": "50x Iron Ore 10s"}
	for _, f := range trade.Fields {
		typed[f.Option] = "typed as " + f.Option
	}
	tr := kernel.Translator{Printer: msg.Printer{Language: msg.Languages[0]}, Game: game.Standard()}
	form := listForm(tr, typed)
	if len(form.Fields) > 5 {
		t.Errorf("the form has %d fields, Discord shows 5: declare the new one without InListForm", len(form.Fields))
	}
	shown := map[string]string{}
	for _, field := range form.Fields {
		if shown[field.Name] = field.Value; field.Label == "" {
			t.Errorf("%s has no label", field.Name)
		}
	}
	draft := listDraft(kernel.Input{Tr: tr, Fields: shown})
	for _, f := range trade.Fields {
		if f.InListForm && *f.List(&draft) != typed[f.Option] {
			t.Errorf("%s is %q, typed as %q", f.Name, *f.List(&draft), typed[f.Option])
		}
	}
}
