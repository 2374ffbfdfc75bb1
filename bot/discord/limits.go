package discord

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Discord's limits for messages.
const (
	MaxContent     = 2000
	maxEmbeds      = 10
	maxEmbedTitle  = 256
	MaxEmbedText   = 4096
	maxEmbedFields = 25
	maxFieldName   = 256
	maxFieldValue  = 1024
	maxFooter      = 2048
	maxAuthor      = 256
	maxEmbedsTotal = 6000
	MaxAuthor      = 256
	MaxButtonLabel = 80
	MaxOptionLabel = 100 // of a select; also its description and value, and the name and value of a completion
	MaxOptions     = 25
)

// FitEmbeds returns cards that Discord accepts: every text within its limit, nothing empty that must not be, and 6,000 in
// all. What does not fit is shortened from the end. A card that needs no more than its equal share is shown whole.
func FitEmbeds(embeds []*discordgo.MessageEmbed) []*discordgo.MessageEmbed {
	embeds = embeds[:min(len(embeds), maxEmbeds)]
	left, later := maxEmbedsTotal, 0 // for all cards, and of it for those that follow
	needs := make([]int, len(embeds))
	for i, e := range embeds {
		needs[i] = min(sizeOf(e), maxEmbedsTotal/len(embeds))
		later += needs[i]
	}
	fitted := make([]*discordgo.MessageEmbed, 0, len(embeds))
	for i, e := range embeds {
		later -= needs[i]
		most := left - later
		rest := most
		fitted = append(fitted, fitEmbed(*e, &rest))
		left -= most - rest
	}
	return fitted
}

// sizeOf is how much of Discord's limit a card takes.
func sizeOf(e *discordgo.MessageEmbed) int {
	n := Size(e.Title) + Size(e.Description)
	if e.Author != nil {
		n += Size(e.Author.Name)
	}
	if e.Footer != nil {
		n += Size(e.Footer.Text)
	}
	for _, f := range e.Fields {
		n += max(1, Size(f.Name)) + max(1, Size(f.Value))
	}
	return n
}

func fitEmbed(e discordgo.MessageEmbed, left *int) *discordgo.MessageEmbed {
	// The small parts first: it is the long description that gives way.
	take := func(text string, limit int) string {
		if *left <= 0 {
			return ""
		}
		fit := string(ClipMarkdown(Markdown(strings.TrimSpace(text)), min(limit, *left)))
		*left -= Size(fit)
		return fit
	}
	e.Title = take(e.Title, maxEmbedTitle)
	if e.Author != nil {
		author := *e.Author
		author.Name = take(author.Name, maxAuthor)
		e.Author = &author
	}
	if e.Footer != nil {
		footer := *e.Footer
		footer.Text = take(footer.Text, maxFooter)
		e.Footer = &footer
	}
	fields := e.Fields[:min(len(e.Fields), maxEmbedFields)]
	e.Fields = nil
	for _, f := range fields {
		if *left < maxFieldName {
			break
		}
		e.Fields = append(e.Fields, &discordgo.MessageEmbedField{
			Name: orBlank(take(f.Name, maxFieldName)), Value: orBlank(take(f.Value, maxFieldValue)), Inline: f.Inline,
		})
	}
	e.Description = take(e.Description, MaxEmbedText)
	return &e
}

// orBlank returns an invisible character for an empty text, which Discord does not accept in a field.
func orBlank(text string) string {
	if text == "" {
		return "\u200b"
	}
	return text
}

// fitChoices returns choices of an autocompleted option that Discord accepts.
func fitChoices(found []*discordgo.ApplicationCommandOptionChoice) []*discordgo.ApplicationCommandOptionChoice {
	fitted := make([]*discordgo.ApplicationCommandOptionChoice, 0, min(len(found), MaxOptions))
	for _, c := range found {
		value := fmt.Sprint(c.Value)
		if c.Name == "" || value == "" || Size(value) > MaxOptionLabel || len(fitted) == MaxOptions {
			continue
		}
		fitted = append(fitted, &discordgo.ApplicationCommandOptionChoice{Name: Clip(c.Name, MaxOptionLabel), Value: value})
	}
	return fitted
}

// AcceptsLink reports whether Discord takes a link to an address in a message: its host must have a dot inside, and it must not be
// a wildcard. Discord refuses the whole message otherwise.
func AcceptsLink(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return strings.Contains(strings.Trim(host, "."), ".") && (err != nil || !ip.IsUnspecified())
}
