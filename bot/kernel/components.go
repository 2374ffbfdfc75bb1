package kernel

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/core/text"
)

// Buttons.

// Button returns a button. Its label is cut to Discord's limit.
func Button(p discord.CustomID, style discordgo.ButtonStyle, label string) discordgo.MessageComponent {
	return discordgo.Button{CustomID: p.String(), Style: style,
		Label: discord.Clip(label, discord.MaxButtonLabel)}
}

// WebLink is a button to a page, or nothing when there is no page.
func WebLink(address, label string) []discordgo.MessageComponent {
	if address == "" {
		return nil
	}
	return []discordgo.MessageComponent{discordgo.Button{Style: discordgo.LinkButton, URL: address,
		Label: discord.Clip(label, discord.MaxButtonLabel)}}
}

// Row puts buttons beside each other, or one select.
func Row(parts ...discordgo.MessageComponent) discordgo.MessageComponent {
	return discordgo.ActionsRow{Components: parts}
}

// Choose is a select of one thing.
func Choose(
	p discord.CustomID, placeholder string, options []discordgo.SelectMenuOption,
) discordgo.MessageComponent {
	for i := range options {
		options[i].Label = discord.Clip(options[i].Label, discord.MaxOptionLabel)
		options[i].Description = discord.Clip(options[i].Description, discord.MaxOptionLabel)
	}
	return Row(discordgo.SelectMenu{CustomID: p.String(), Placeholder: placeholder,
		Options: options[:min(len(options), discord.MaxOptions)]})
}

// Pager are buttons to the pages beside this one; none for a single page.
func Pager(t Translator, page, pages int, to func(page int) discord.CustomID) []discordgo.MessageComponent {
	if pages <= 1 {
		return nil
	}
	back := discordgo.Button{CustomID: to(max(page-1, 0)).String() + discord.CustomIDSeparator + "back",
		Style: discordgo.SecondaryButton, Label: "◀", Disabled: page == 0}
	where := discordgo.Button{CustomID: discord.NewCustomID("nothing").String(),
		Style: discordgo.SecondaryButton, Label: t.Plain(msg.Page, "page", page+1,
			"pages", pages), Disabled: true}
	next := discordgo.Button{CustomID: to(min(page+1, pages-1)).String(), Style: discordgo.SecondaryButton,
		Label: "▶", Disabled: page >= pages-1}
	return []discordgo.MessageComponent{back, where, next}
}

// ChooseSome is a select of one thing or several.
func ChooseSome(
	p discord.CustomID, placeholder string, options []discordgo.SelectMenuOption,
) discordgo.MessageComponent {
	one := 1
	return Row(discordgo.SelectMenu{CustomID: p.String(), Placeholder: placeholder, MinValues: &one,
		MaxValues: len(options), Options: options})
}
