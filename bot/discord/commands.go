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

// CommandIDs are the ids of slash commands by their English names, by which messages mention them.
type CommandIDs map[string]string

// SyncCommands brings the commands that Discord knows up to date, and reports their ids and whether they
// were not. It writes only then: a restart costs one request, and the number of new names that Discord
// allows in a day is not used up.
func (c *Client) SyncCommands(
	ctx context.Context, appID string, tree []*discordgo.ApplicationCommand,
) (ids CommandIDs, changed bool, err error) {
	const route = "/applications/{application}/commands"
	url := discordgo.EndpointApplicationGlobalCommands(appID)
	var known []*discordgo.ApplicationCommand
	if err := c.do(ctx, request{method: "GET", route: route, url: url + "?with_localizations=true"},
		&known); err != nil {
		return nil, false, fmt.Errorf("read commands: %w", err)
	}
	same, err := sameCommands(known, tree)
	if err != nil || same {
		return idsOf(known), false, err
	}
	var written []*discordgo.ApplicationCommand
	if err := c.do(ctx, request{method: "PUT", route: route, url: url, body: tree}, &written); err != nil {
		return nil, false, fmt.Errorf("write commands: %w", err)
	}
	return idsOf(written), true, nil
}

func idsOf(commands []*discordgo.ApplicationCommand) CommandIDs {
	ids := CommandIDs{}
	for _, c := range commands {
		if c.Type == discordgo.ChatApplicationCommand {
			ids[c.Name] = c.ID
		}
	}
	return ids
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
	slices.SortFunc(sorted, func(a, b *discordgo.ApplicationCommand) int {
		return strings.Compare(a.Name,
			b.Name)
	})
	return json.Marshal(sorted)
}
