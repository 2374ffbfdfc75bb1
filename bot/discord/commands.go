package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// SyncCommands brings the commands that Discord knows up to date, and reports whether they were not. It writes only then: a
// restart costs one request, and the number of new names that Discord allows in a day is not used up.
func (c *Client) SyncCommands(ctx context.Context, appID string, tree []*discordgo.ApplicationCommand) (changed bool, err error) {
	const route = "/applications/{application}/commands"
	url := discordgo.EndpointApplicationGlobalCommands(appID)
	var known []*discordgo.ApplicationCommand
	if err := c.do(ctx, request{method: "GET", route: route, url: url + "?with_localizations=true"}, &known); err != nil {
		return false, fmt.Errorf("read commands: %w", err)
	}
	same, err := sameCommands(known, tree)
	if err != nil || same {
		return false, err
	}
	if err := c.do(ctx, request{method: "PUT", route: route, url: url, body: tree}, nil); err != nil {
		return false, fmt.Errorf("write commands: %w", err)
	}
	return true, nil
}

func sameCommands(known, wanted []*discordgo.ApplicationCommand) (bool, error) {
	a, err := essence(known)
	if err != nil {
		return false, err
	}
	b, err := essence(wanted)
	return bytes.Equal(a, b), err
}

// essence is a command tree in the order of its names, without what Discord adds.
func essence(tree []*discordgo.ApplicationCommand) ([]byte, error) {
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	var sorted []*discordgo.ApplicationCommand // a copy without empty fields
	if err := json.Unmarshal(data, &sorted); err != nil {
		return nil, err
	}
	for _, c := range sorted {
		c.ID, c.ApplicationID, c.GuildID, c.Version = "", "", "", ""
		if c.Type == discordgo.ChatApplicationCommand {
			c.Type = 0 // the tree leaves it out
		}
		c.DefaultPermission, c.NSFW = nil, nil
		c.DMPermission = nil //nolint:staticcheck // deprecated, but Discord still sends it
	}
	slices.SortFunc(sorted, func(a, b *discordgo.ApplicationCommand) int { return strings.Compare(a.Name, b.Name) })
	return json.Marshal(sorted)
}
