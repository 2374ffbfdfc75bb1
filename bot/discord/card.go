package discord

import (
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Card is a framed part of a message: a container in a colour.
type Card struct {
	Author      string // in small print above the title; plain text
	Title       string // markdown, as the texts below
	URL         string // where the title leads
	Description string // gives way where a message is too long
	Color       int
	Fields      []*CardField
	Items       []CardItem
	Footer      Markdown // in small print

	Rows []discordgo.MessageComponent // its own buttons and lists, below everything else

	Thumbnail string // the address of a small picture beside the title
	Picture   string // the address of a large one
}

// CardField is a named value.
type CardField struct {
	Name   string
	Value  string
	Inline bool // in the line of its name
}

// CardItem is an entry of a list, with what can be done about it.
type CardItem struct {
	Text   Markdown
	Button discordgo.MessageComponent // nil for none
}

const (
	maxTextTotal  = 4000 // in all texts of a message
	maxComponents = 40   // in a message, at every level
	maxCards      = 10

	maxCardTitle  = 256
	maxFieldName  = 256
	maxFieldValue = 1024
	maxItem       = 600
	minItem       = 20 // less of an entry says nothing
	maxFooter     = 512
)

// detail is the part of its layout that a message shows. A message with too many components is shown with
// less.
type detail int

const (
	everything detail = iota
	withoutRules
	withoutPictures
	textOnly
)

// layout draws a message within Discord's limits: a text, cards, and rows of buttons or selects. A card's
// own rows are in it, and the message's rows too where it has a single card.
func layout(text Markdown, cards []*Card, rows []discordgo.MessageComponent) []discordgo.MessageComponent {
	text = ClipMarkdown(Markdown(strings.TrimSpace(string(text))), MaxContent)
	cards = fitCards(cards, maxTextTotal-Size(string(text)))
	for how := everything; ; {
		drawn := draw(text, cards, rows, how)
		switch {
		case countComponents(drawn) <= maxComponents:
			return drawn
		case how < textOnly:
			how++
		default:
			cards = cards[:len(cards)-1] // rows alone never have so many
		}
	}
}

func draw(
	text Markdown, cards []*Card, rows []discordgo.MessageComponent, how detail,
) []discordgo.MessageComponent {
	drawn := []discordgo.MessageComponent{}
	if text != "" {
		drawn = append(drawn, display(text))
	}
	for _, c := range cards {
		inside := append(c.blocks(how), c.Rows...)
		if len(cards) == 1 {
			inside = append(inside, rows...)
		}
		if len(inside) > 0 {
			drawn = append(drawn, discordgo.Container{AccentColor: new(c.Color), Components: inside})
		}
	}
	if len(cards) != 1 {
		drawn = append(drawn, rows...)
	}
	return drawn
}

// blocks are the parts of a card from top to bottom.
func (c *Card) blocks(how detail) []discordgo.MessageComponent {
	head, fields, footer := c.head(), c.fields(), c.footer()
	var b cardBuilder
	b.rules = how == everything
	if how == textOnly {
		texts := []Markdown{head, fields}
		for _, item := range c.Items {
			texts = append(texts, item.Text)
		}
		b.text(joinLines(append(texts, footer)...))
		return b.parts
	}
	if how == withoutPictures {
		head, fields = joinLines(head, fields), ""
	}
	if c.Thumbnail != "" && head != "" && how < withoutPictures {
		b.section(head, discordgo.Thumbnail{Media: discordgo.UnfurledMediaItem{URL: c.Thumbnail}})
	} else {
		b.text(head)
	}
	if fields != "" {
		b.rule()
		b.text(fields)
	}
	for _, item := range c.Items {
		b.rule()
		if item.Button != nil {
			b.section(item.Text, item.Button)
		} else {
			b.text(item.Text)
		}
	}
	if c.Picture != "" && how < withoutPictures {
		picture := discordgo.MediaGalleryItem{Media: discordgo.UnfurledMediaItem{URL: c.Picture}}
		b.parts = append(b.parts, discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{picture}})
	}
	b.text(footer)
	return b.parts
}

// cardBuilder collects the parts of a card.
type cardBuilder struct {
	parts []discordgo.MessageComponent
	rules bool
}

func (b *cardBuilder) text(text Markdown) {
	if text != "" {
		b.parts = append(b.parts, display(text))
	}
}

func (b *cardBuilder) section(text Markdown, beside discordgo.MessageComponent) {
	b.parts = append(b.parts, discordgo.Section{Components: []discordgo.MessageComponent{display(text)},
		Accessory: beside})
}

// rule separates what follows from what is above it, if anything is.
func (b *cardBuilder) rule() {
	if b.rules && len(b.parts) > 0 {
		b.parts = append(b.parts, discordgo.Separator{})
	}
}

func display(text Markdown) discordgo.MessageComponent {
	return discordgo.TextDisplay{Content: string(text)}
}

// head is the author, the title and the description.
func (c *Card) head() Markdown {
	var author, title Markdown
	if c.Author != "" {
		author = "-# " + Escape(c.Author)
	}
	switch {
	case c.Title != "" && c.URL != "":
		title = Markdown("### [" + c.Title + "](" + c.URL + ")")
	case c.Title != "":
		title = Markdown("### " + c.Title)
	}
	return joinLines(author, title, Markdown(c.Description))
}

func (c *Card) fields() Markdown {
	lines := make([]Markdown, len(c.Fields))
	for i, f := range c.Fields {
		lines[i] = Markdown("**" + f.Name + ":**\n" + f.Value)
		if f.Inline {
			lines[i] = Markdown("**" + f.Name + ":** " + strings.ReplaceAll(f.Value, "\n", " · "))
		}
	}
	return joinLines(lines...)
}

func (c *Card) footer() Markdown {
	if c.Footer == "" {
		return ""
	}
	return "-# " + c.Footer
}

func joinLines(texts ...Markdown) Markdown {
	var lines []string
	for _, t := range texts {
		if t != "" {
			lines = append(lines, string(t))
		}
	}
	return Markdown(strings.Join(lines, "\n"))
}

// countComponents counts components at every level, as Discord does.
func countComponents(list []discordgo.MessageComponent) (n int) {
	for _, c := range list {
		n++
		switch c := c.(type) {
		case discordgo.ActionsRow:
			n += countComponents(c.Components)
		case discordgo.Container:
			n += countComponents(c.Components)
		case discordgo.Section:
			n += countComponents(c.Components) + 1
		case *discordgo.ActionsRow: // pointers in messages that Discord sent
			n += countComponents(c.Components)
		case *discordgo.Container:
			n += countComponents(c.Components)
		case *discordgo.Section:
			n += countComponents(c.Components) + 1
		}
	}
	return n
}

// fitCards returns cards with texts that fit into a size. It shortens longer texts from the end. A card that
// needs no more than its equal share is shown whole.
func fitCards(cards []*Card, size int) []*Card {
	cards = cards[:min(len(cards), maxCards)]
	left, later := size, 0 // for all cards, and of it for those that follow
	needs := make([]int, len(cards))
	for i, c := range cards {
		needs[i] = min(c.size(), size/len(cards))
		later += needs[i]
	}
	fitted := make([]*Card, 0, len(cards))
	for i, c := range cards {
		later -= needs[i]
		one := c.fit(left - later)
		left -= one.size()
		fitted = append(fitted, one)
	}
	return fitted
}

// size returns the part of Discord's limit that a card uses.
func (c *Card) size() int {
	n := Size(string(c.head())) + Size(string(c.fields())) + Size(string(c.footer()))
	for _, item := range c.Items {
		n += Size(string(item.Text))
	}
	return n + 3 + 2*len(c.Fields) + len(c.Items) // ends of lines where parts are joined
}

// fit returns the card with texts that take no more than a size.
func (c *Card) fit(size int) *Card {
	f := *c
	// The small parts first: it is the long description that gives way.
	f.Author = Clip(strings.TrimSpace(f.Author), maxFieldName)
	f.Title = clipTrimmed(f.Title, maxCardTitle)
	f.Footer = Markdown(clipTrimmed(string(f.Footer), maxFooter))
	f.Description, f.Fields, f.Items = "", nil, nil
	for _, field := range c.Fields {
		one := &CardField{Name: orBlank(clipTrimmed(field.Name, maxFieldName)),
			Value: orBlank(clipTrimmed(field.Value, maxFieldValue)), Inline: field.Inline}
		f.Fields = append(f.Fields, one)
		if f.size() > size {
			f.Fields = f.Fields[:len(f.Fields)-1]
			break
		}
	}
	for _, item := range c.Items {
		room := min(maxItem, size-f.size()-1)
		if room < minItem {
			break
		}
		f.Items = append(f.Items, CardItem{Text: Markdown(orBlank(clipTrimmed(string(item.Text), room))),
			Button: item.Button})
	}
	if rest := size - f.size() - 1; rest > 1 {
		f.Description = clipTrimmed(c.Description, rest)
	}
	if f.size() > size { // a long title in the small share of one of many
		f.Author, f.URL, f.Footer, f.Title = "", "", "", clipTrimmed(f.Title, max(size-8, 1))
	}
	return &f
}

func clipTrimmed(text string, limit int) string {
	return string(ClipMarkdown(Markdown(strings.TrimSpace(text)), limit))
}

// orBlank returns an invisible character for an empty text, which Discord does not accept.
func orBlank(text string) string {
	if text == "" {
		return "\u200b"
	}
	return text
}

// CardTitle returns the title of the only card of a message, and whether there is just one. A message of an
// earlier version has it in an embed.
func CardTitle(m *discordgo.Message) (title Markdown, one bool) {
	if len(m.Embeds) == 1 {
		return Markdown(m.Embeds[0].Title), true
	}
	var card *discordgo.Container
	for _, c := range m.Components {
		if found, ok := c.(*discordgo.Container); ok {
			if card != nil {
				return "", false
			}
			card = found
		}
	}
	if card == nil || len(card.Components) == 0 {
		return "", false
	}
	first := card.Components[0]
	if section, ok := first.(*discordgo.Section); ok && len(section.Components) > 0 {
		first = section.Components[0]
	}
	text, ok := first.(*discordgo.TextDisplay)
	if !ok {
		return "", false
	}
	for line := range strings.Lines(text.Content) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "### "); ok {
			if linked, ok := strings.CutPrefix(title, "["); ok {
				if end := strings.LastIndex(linked, "]("); end >= 0 {
					title = linked[:end]
				}
			}
			return Markdown(title), true
		}
	}
	return "", false
}
