package discordtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

const v2 = 1 << 15

func textObj(s string) obj { return obj{"type": 10, "content": s} }

func containerObj(parts ...any) obj {
	return obj{"type": 17, "accent_color": 0xd9532c, "components": parts}
}

func sectionObj(beside any, texts ...any) obj {
	return obj{"type": 9, "components": texts, "accessory": beside}
}

func picture(address string) obj { return obj{"type": 11, "media": obj{"url": address}} }

func TestLimitsOfComponentsV2(t *testing.T) {
	t.Parallel()
	texts := func(n, size int) []any { return list(n, func(int) any { return textObj(long(size)) }) }
	for name, tt := range map[string]struct {
		parts []any
		want  string // path of the error; empty when accepted
	}{
		"40 at the top":                  {parts: texts(40, 1)},
		"41 at the top":                  {parts: texts(41, 1), want: "components"},
		"40 with those inside":           {parts: []any{containerObj(texts(39, 1)...)}},
		"41 with those inside":           {parts: []any{containerObj(texts(40, 1)...)}, want: "components"},
		"an accessory counts":            {parts: []any{containerObj(append(texts(37, 1), sectionObj(buttonObj(1), textObj("x")))...)}, want: "components"},
		"4000 characters in all":         {parts: texts(4, 1000)},
		"4001 characters in all":         {parts: append(texts(4, 1000), containerObj(textObj("x"))), want: "components"},
		"4001 characters in one":         {parts: texts(1, 4001), want: "components.0.content"},
		"an empty text":                  {parts: []any{containerObj(textObj(""))}, want: "components.0.components.0.content"},
		"a text of spaces":               {parts: []any{containerObj(textObj(" \n"))}, want: "components.0.components.0.content"},
		"an empty container":             {parts: []any{containerObj()}, want: "components.0.components"},
		"a container in a container":     {parts: []any{containerObj(containerObj(textObj("x")))}, want: "components.0.components.0.type"},
		"a button without a row":         {parts: []any{containerObj(buttonObj(1))}, want: "components.0.components.0.type"},
		"a thumbnail without a section":  {parts: []any{containerObj(picture("https://a.example/b.png"))}, want: "components.0.components.0.type"},
		"a section with a button":        {parts: []any{sectionObj(buttonObj(1), textObj("x"))}},
		"a section with a picture":       {parts: []any{sectionObj(picture("https://a.example/b.png"), textObj("x"))}},
		"a section with a list":          {parts: []any{sectionObj(selectObj(2, nil), textObj("x"))}, want: "components.0.accessory.style components.0.accessory.type"},
		"a section with four texts":      {parts: []any{sectionObj(buttonObj(1), texts(4, 1)...)}, want: "components.0.components"},
		"a section without an accessory": {parts: []any{obj{"type": 9, "components": texts(1, 1)}}, want: "components.0.accessory"},
		"a row in a section":             {parts: []any{sectionObj(buttonObj(1), rowOf(buttonObj(2)))}, want: "components.0.components.0.content components.0.components.0.type"},
		"a picture from nowhere":         {parts: []any{sectionObj(picture("http://localhost/b.png"), textObj("x"))}, want: "components.0.accessory.media.url"},
		"a picture of another scheme":    {parts: []any{sectionObj(picture("data:image/png;base64,AA"), textObj("x"))}, want: "components.0.accessory.media.url"},
		"a gallery of eleven": {
			parts: []any{obj{"type": 12, "items": list(11, func(i int) any { return obj{"media": obj{"url": "https://a.example/b.png"}} })}},
			want:  "components.0.items",
		},
		"the same custom id at two levels": {
			parts: []any{containerObj(sectionObj(buttonObj(1), textObj("x")), rowOf(buttonObj(1)))}, want: "components.0.components.1.components.0.custom_id",
		},
		"a button without a label inside": {
			parts: []any{containerObj(sectionObj(obj{"type": 2, "style": 1, "custom_id": "a"}, textObj("x")))}, want: "components.0.components.0.accessory.label",
		},
		"a colour beyond white": {parts: []any{obj{"type": 17, "accent_color": 1 << 24, "components": texts(1, 1)}}, want: "components.0.accent_color"},
		"a separator of size 3": {parts: []any{textObj("x"), obj{"type": 14, "spacing": 3}}, want: "components.1.spacing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			s := d.Session(t)
			_, err := post(s, d.Channel("tavern").ID(), obj{"flags": v2, "components": tt.parts})
			if (err != nil) != (tt.want != "") || err != nil && code(err) != 50035 {
				t.Fatalf("gave %v, want an error at %q", err, tt.want)
			}
			if got := strings.Join(paths(tree(t, err), ""), " "); got != tt.want {
				t.Errorf("refused because of %q, want %q (%v)", got, tt.want, err)
			}
		})
	}
}

func TestAMessageWithComponentsV2TakesNothingElse(t *testing.T) {
	t.Parallel()
	parts := []any{textObj("x")}
	for name, body := range map[string]obj{
		"content": {"content": "x"},
		"embeds":  {"embeds": []any{obj{"title": "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			s := d.Session(t)
			body["flags"], body["components"] = v2, parts
			if _, err := post(s, d.Channel("tavern").ID(), body); code(err) != 50035 {
				t.Errorf("gave %v", err)
			}
		})
	}
}

// edit sends an edit of the test's own.
func edit(s *discordgo.Session, m *discordgo.Message, body any) error {
	url := discordgo.EndpointChannelMessage(m.ChannelID, m.ID)
	_, err := s.RequestWithBucketID("PATCH", url, body, url)
	return err
}

func TestAnEditConvertsAMessageToComponentsV2(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	s := d.Session(t)
	channel := d.Channel("tavern").ID()
	m, err := s.ChannelMessageSendComplex(channel, &discordgo.MessageSend{Content: "Iron Ore", Embeds: []*discordgo.MessageEmbed{{Title: "Iron Ore"}}})
	if err != nil {
		t.Fatal(err)
	}
	parts := []any{containerObj(textObj("Iron Ore"))}
	for name, body := range map[string]obj{
		"with its old content": {"flags": v2, "components": parts, "embeds": []any{}},
		"with its old embeds":  {"flags": v2, "components": parts, "content": nil},
		"with embeds of null":  {"flags": v2, "components": parts, "content": nil, "embeds": nil},
		"without the flag":     {"components": parts, "content": nil, "embeds": []any{}},
	} {
		if err := edit(s, m, body); code(err) != 50035 {
			t.Errorf("%s: gave %v", name, err)
		}
	}
	if err := edit(s, m, obj{"flags": v2, "components": parts, "content": nil, "embeds": []any{}}); err != nil {
		t.Fatalf("the edit that brings it: %v", err)
	}
	if err := edit(s, m, obj{"content": "Iron Ore", "components": []any{}}); code(err) != 50035 {
		t.Errorf("going back: %v", err)
	}
	if err := edit(s, m, obj{"flags": 0, "components": []any{textObj("Rope")}}); err != nil {
		t.Errorf("an edit that leaves the flag out: %v", err)
	}
	got, err := s.ChannelMessage(channel, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := got.Components[0].(*discordgo.TextDisplay); !ok || text.Content != "Rope" || got.Flags&discordgo.MessageFlagsIsComponentsV2 == 0 {
		t.Errorf("it is %+v with the flags %d", got.Components[0], got.Flags)
	}
}

func TestALibrarysComponentsV2AreRead(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	colour := 0xd9532c
	layout := discordgo.Container{AccentColor: &colour, Components: []discordgo.MessageComponent{
		discordgo.Section{
			Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "### Iron Ore"}},
			Accessory:  discordgo.Thumbnail{Media: discordgo.UnfurledMediaItem{URL: "https://a.example/b.png"}},
		},
		discordgo.Separator{},
		discordgo.Section{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "<@1> 20 left"}}, Accessory: button("Offer", "offer")},
		discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{{Media: discordgo.UnfurledMediaItem{URL: "https://a.example/c.png"}}}},
		row(button("More", "more")),
	}}
	s := bot(t, d, map[string]handler{
		"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseChannelMessageWithSource,
				Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsIsComponentsV2, Components: []discordgo.MessageComponent{layout}},
			}); err != nil {
				t.Error(err)
			}
		},
		"offer": say("Sent", discordgo.MessageFlagsEphemeral),
	})
	shown := d.Player(t, "maple").Slash("request mine")
	if got := shown.Text(); got != "### Iron Ore\n<@1> 20 left" || len(shown.Cards()) != 1 || *shown.Cards()[0].AccentColor != colour {
		t.Errorf("it reads %q", got)
	}
	if got := fmt.Sprint(shown.Buttons(), shown.Pictures()); got != "[Offer More] [https://a.example/b.png https://a.example/c.png]" {
		t.Errorf("it has %s", got)
	}
	if answer := shown.Button("Offer").Press(); answer.Content != "Sent" {
		t.Errorf("the button answers %q", answer.Content)
	}
	if _, err := s.ChannelMessage(shown.ChannelID, shown.ID); err != nil {
		t.Errorf("the library does not read it: %v", err)
	}
}

func TestTextsOfComponentsV2Mention(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	body := obj{"flags": v2, "components": []any{containerObj(textObj("Hello <@" + maple.ID() + ">"))}}
	loud, err := post(s, d.Channel("tavern").ID(), body)
	if err != nil {
		t.Fatal(err)
	}
	body["allowed_mentions"] = obj{"parse": []string{}}
	quietly, err := post(s, d.Channel("tavern").ID(), body)
	if err != nil {
		t.Fatal(err)
	}
	if len(loud.Mentions) != 1 || len(quietly.Mentions) != 0 {
		t.Errorf("pinged %d and %d, want 1 and none", len(loud.Mentions), len(quietly.Mentions))
	}
}
