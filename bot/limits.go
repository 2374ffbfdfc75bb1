package bot

import (
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Discord's limits for messages.
const (
	maxContent     = 2000
	maxEmbeds      = 10
	maxEmbedTitle  = 256
	maxEmbedText   = 4096
	maxEmbedFields = 25
	maxFieldName   = 256
	maxFieldValue  = 1024
	maxFooter      = 2048
	maxAuthor      = 256
	maxEmbedsTotal = 6000
	maxButtonLabel = 80
	maxOptionLabel = 100 // of a select; also its description and value, and the name and value of a completion
	maxSelect      = 25
)

// fitEmbeds returns cards that Discord accepts: every text within its limit, nothing empty that must not be, and 6,000 in
// all. What does not fit is shortened from the end.
func fitEmbeds(embeds []*discordgo.MessageEmbed) []*discordgo.MessageEmbed {
	left := maxEmbedsTotal
	fitted := make([]*discordgo.MessageEmbed, 0, len(embeds))
	for _, e := range embeds[:min(len(embeds), maxEmbeds)] {
		fitted = append(fitted, fitEmbed(*e, &left))
	}
	return fitted
}

func fitEmbed(e discordgo.MessageEmbed, left *int) *discordgo.MessageEmbed {
	// The small parts first: it is the long description that gives way.
	take := func(text string, limit int) string {
		if *left <= 0 {
			return ""
		}
		fit := string(clipSafe(safe(strings.TrimSpace(text)), min(limit, *left)))
		*left -= size(fit)
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
	e.Description = take(e.Description, maxEmbedText)
	return &e
}

// orBlank keeps a field that has no text: Discord refuses an empty one.
func orBlank(text string) string {
	if text == "" {
		return "\u200b"
	}
	return text
}
