package discord

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
)

// sizes returns how long all texts of a message are together, and visits each.
func sizes(list []discordgo.MessageComponent, visit func(text string)) {
	for _, c := range list {
		switch c := c.(type) {
		case discordgo.TextDisplay:
			visit(c.Content)
		case discordgo.Container:
			sizes(c.Components, visit)
		case discordgo.Section:
			sizes(c.Components, visit)
		}
	}
}

func TestMessagesKeepDiscordsLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("*🌾", 5000)
	button := discordgo.Button{Label: "Offer", CustomID: "x"}
	big := &Card{
		Title: long, Description: long, Footer: Markdown(long), Author: long, URL: "https://market.example/requests/1",
		Thumbnail: "https://market.example/a.png", Picture: "https://market.example/b.png",
	}
	for range 20 {
		big.Fields = append(big.Fields, &CardField{Name: long, Value: long}, &CardField{Inline: true})
		big.Items = append(big.Items, CardItem{Text: Markdown(long), Button: button})
	}
	small := &Card{Title: "Iron Ore", Items: []CardItem{{Text: "20 left", Button: button}}}
	wide := make([]discordgo.MessageComponent, 5)
	for i := range wide {
		wide[i] = discordgo.ActionsRow{Components: []discordgo.MessageComponent{button, button, button, button, button}}
	}
	for name, m := range map[string]Message{
		"one large card":          NewMessage("", []*Card{big}, nil),
		"one with all buttons":    NewMessage(Markdown(long), []*Card{big}, wide),
		"two":                     NewMessage("", []*Card{big, big}, nil),
		"large and small ones":    NewMessage("", []*Card{big, small, big, small, small}, wide),
		"more than a message has": NewMessage("", []*Card{big, big, big, big, big, big, big, big, big, big, big, big}, wide),
		"an empty field":          NewMessage("", []*Card{{Fields: []*CardField{{}}}}, nil),
		"only buttons":            NewMessage("", nil, wide),
	} {
		total := 0
		sizes(m.Components, func(text string) {
			total += Size(text)
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: a text is empty", name)
			}
		})
		if n := countComponents(m.Components); total > maxTextTotal || n > maxComponents {
			t.Errorf("%s: %d characters, %d components", name, total, n)
		}
	}
}

func TestManySmallCardsHaveTheirButtons(t *testing.T) {
	t.Parallel()
	var cards []*Card
	for i := range 9 {
		cards = append(cards, &Card{Items: []CardItem{{Text: Markdown(fmt.Sprint("Item ", i)), Button: discordgo.Button{CustomID: fmt.Sprint(i)}}}})
	}
	pick := []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.SelectMenu{}}}}
	sections := 0
	for _, c := range NewMessage("", cards, pick).Components {
		if c, ok := c.(discordgo.Container); ok {
			if _, ok := c.Components[0].(discordgo.Section); ok {
				sections++
			}
		}
	}
	if sections != len(cards) {
		t.Errorf("%d of %d cards have a button", sections, len(cards))
	}
}

func TestCardTitle(t *testing.T) {
	t.Parallel()
	shown := func(cards ...*Card) *discordgo.Message {
		data, err := discordgo.Marshal(map[string]any{"components": NewMessage("Here", cards, nil).Components})
		if err != nil {
			t.Fatal(err)
		}
		var m discordgo.Message
		if err := discordgo.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		return &m
	}
	linked := &Card{Author: "Maple", Title: `Iron \[Ore\]`, URL: "https://market.example/requests/7", Description: "### no", Thumbnail: "https://a.example/b.png"}
	for name, c := range map[string]struct {
		in   *discordgo.Message
		want Markdown
		one  bool
	}{
		"linked":      {shown(linked), `Iron \[Ore\]`, true},
		"not linked":  {shown(&Card{Title: "Rope"}), "Rope", true},
		"two":         {shown(linked, linked), "", false},
		"none":        {shown(), "", false},
		"an embed":    {&discordgo.Message{Embeds: []*discordgo.MessageEmbed{{Title: "Rope"}}}, "Rope", true},
		"no title":    {shown(&Card{Description: "Rope"}), "", false},
		"no message ": {&discordgo.Message{}, "", false},
	} {
		if got, one := CardTitle(c.in); got != c.want || one != c.one {
			t.Errorf("%s: %q, %v", name, got, one)
		}
	}
}
