package discordtest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// rawBot answers each interaction with a body of the test's own, chosen by the kind of the interaction.
func rawBot(t *testing.T, d *discordtest.Discord, commands []any, answers map[int]any) (*discordgo.Session, chan obj) {
	t.Helper()
	s := d.Session(t)
	got := make(chan obj, 10)
	s.AddHandler(func(s *discordgo.Session, e *discordgo.Event) {
		if e.Type != "INTERACTION_CREATE" {
			return
		}
		var i struct {
			ID, Token string
			Type      int
			Data      obj
		}
		_ = json.Unmarshal(e.RawData, &i)
		url := discordgo.EndpointInteractionResponse(i.ID, i.Token)
		_, _ = s.RequestWithBucketID("POST", url, answers[i.Type], "answers")
		got <- i.Data
	})
	if _, err := register(s, d, "", commands); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	d.WaitForBot(t)
	return s, got
}

func TestModalsWithLabels(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	label := func(name string, component obj) obj {
		return obj{"type": 18, "label": name, "description": "why", "component": component}
	}
	options := []any{obj{"label": "One", "value": "1"}, obj{"label": "Two", "value": "2", "default": true}}
	_, got := rawBot(t, d, []any{obj{"name": "form", "description": "x"}}, map[int]any{
		2: obj{"type": 9, "data": obj{"custom_id": "m", "title": "A form", "components": []any{
			obj{"type": 10, "content": "**Read me**"},
			label("Text", obj{"type": 4, "custom_id": "text", "style": 2, "value": "as it was"}),
			label("List", obj{"type": 3, "custom_id": "list", "options": options, "max_values": 2}),
			label("Radio", obj{"type": 21, "custom_id": "radio", "options": options}),
			label("Who", obj{"type": 5, "custom_id": "who", "required": false}),
		}}},
		5: obj{"type": 4, "data": obj{"content": "thanks"}},
	})
	modal := d.Player(t, "maple").Slash("form").Modal
	<-got
	if modal.Field("Text").Value != "as it was" {
		t.Errorf("prefilled with %q", modal.Field("Text").Value)
	}
	if said := fails(t, func(t discordtest.TB) { d.Player(t, "maple").Slash("form").Modal.Submit(map[string]string{"Text": ""}) }); said == "" {
		t.Error("a required field may be empty")
	}
	<-got
	modal.Submit(map[string]string{"list": "One\nTwo", "Who": "Rowan"})
	data := <-got
	rowan := d.Player(t, "rowan.ashdown").ID()
	if data["resolved"].(obj)["users"].(obj)[rowan] == nil {
		t.Errorf("resolved: %v", data["resolved"])
	}
	sent, _ := json.Marshal(data["components"])
	want := `[{"id":1,"type":10},` +
		`{"component":{"custom_id":"text","id":3,"type":4,"value":"as it was"},"id":2,"type":18},` +
		`{"component":{"custom_id":"list","id":5,"type":3,"values":["1","2"]},"id":4,"type":18},` +
		`{"component":{"custom_id":"radio","id":7,"type":21,"value":"2"},"id":6,"type":18},` +
		`{"component":{"custom_id":"who","id":9,"type":5,"values":["` + rowan + `"]},"id":8,"type":18}]`
	if string(sent) != want {
		t.Errorf("the bot got\n%s, want\n%s", sent, want)
	}
}

func TestListsOfEveryKind(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	kinds := []any{}
	for kind, name := range map[int]string{3: "text", 5: "people", 8: "rooms"} {
		list := obj{"type": kind, "custom_id": name, "placeholder": name}
		if kind == 3 {
			list["options"] = []any{obj{"label": "One", "value": "1"}, obj{"label": "Two", "value": "2"}}
			list["max_values"] = 2
		}
		kinds = append(kinds, rowOf(list))
	}
	_, got := rawBot(t, d, []any{obj{"name": "lists", "description": "x"}}, map[int]any{
		2: obj{"type": 4, "data": obj{"content": "choose", "components": kinds}},
		3: obj{"type": 6},
	})
	maple := d.Player(t, "maple")
	shown := maple.Slash("lists")
	<-got
	if labels := shown.List("text").Labels(); fmt.Sprint(labels) != "[One Two]" {
		t.Errorf("to choose from: %v", labels)
	}
	choose := func(list string, what ...string) obj {
		shown.List(list).StartChoose(what...)
		return <-got
	}
	if values := choose("text", "Two", "1")["values"]; fmt.Sprint(values) != "[2 1]" {
		t.Errorf("chosen: %v", values)
	}
	rowan := d.Player(t, "rowan.ashdown").ID()
	if sent := choose("people", "Rowan"); fmt.Sprint(sent["values"]) != "["+rowan+"]" || sent["resolved"].(obj)["users"].(obj)[rowan] == nil {
		t.Errorf("chosen: %v", sent)
	}
	if sent := choose("rooms", "tavern"); fmt.Sprint(sent["values"]) != "["+d.Channel("tavern").ID()+"]" {
		t.Errorf("chosen: %v", sent)
	}
}

func TestOptionsOfEveryKind(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	option := func(kind int, name string) obj { return obj{"type": kind, "name": name, "description": "x"} }
	_, got := rawBot(t, d, []any{obj{"name": "all", "description": "x", "options": []any{
		option(5, "yes"), option(6, "who"), option(7, "where"), option(10, "much")}}},
		map[int]any{2: obj{"type": 4, "data": obj{"content": "x"}}})
	d.Player(t, "maple").Slash("all", discordtest.Bool("yes", true), discordtest.UserOption("who", "juniper_fox"),
		discordtest.ChannelOption("where", "tavern"), discordtest.Num("much", 1.5))
	data := <-got
	values := map[string]any{}
	for _, o := range data["options"].([]any) {
		values[o.(obj)["name"].(string)] = o.(obj)["value"]
	}
	juniper, tavern := d.Player(t, "juniper_fox").ID(), d.Channel("tavern").ID()
	if values["yes"] != true || values["who"] != juniper || values["where"] != tavern || values["much"] != 1.5 {
		t.Errorf("the bot got %v", values)
	}
	behind := data["resolved"].(obj)
	if behind["members"].(obj)[juniper] == nil || behind["channels"].(obj)[tavern] == nil {
		t.Errorf("resolved: %v", behind)
	}
}
