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
	MaxCardText    = 3800 // of a text that fills a message, with its title
	MaxAuthor      = 256
	MaxButtonLabel = 80
	// of a select; also its description and value, and the name and value of a completion
	MaxOptionLabel = 100
	MaxOptions     = 25
)

// fitChoices returns choices of an autocompleted option that Discord accepts.
func fitChoices(
	found []*discordgo.ApplicationCommandOptionChoice,
) []*discordgo.ApplicationCommandOptionChoice {
	fitted := make([]*discordgo.ApplicationCommandOptionChoice, 0, min(len(found), MaxOptions))
	for _, c := range found {
		value := fmt.Sprint(c.Value)
		if c.Name == "" || value == "" || Size(value) > MaxOptionLabel || len(fitted) == MaxOptions {
			continue
		}
		fitted = append(fitted, &discordgo.ApplicationCommandOptionChoice{Name: Clip(c.Name, MaxOptionLabel),
			Value: value})
	}
	return fitted
}

// AcceptsLink reports whether Discord takes a link to an address in a message: its host must have a dot
// inside, and it must not be a wildcard. Discord refuses the whole message otherwise.
func AcceptsLink(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return strings.Contains(strings.Trim(host, "."), ".") && (err != nil || !ip.IsUnspecified())
}
