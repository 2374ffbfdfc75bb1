package discord

import (
	"context"
	"encoding/base64"

	"github.com/bwmarrin/discordgo"
)

// emoji has the fields that are decoded of an emoji.
type emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

const emojisRoute = "/applications/{application}/emojis"

// Emojis returns the IDs of the emojis that an application has, by their names.
func (c *Client) Emojis(ctx context.Context, appID string) (map[string]string, error) {
	var found struct {
		Items []emoji `json:"items"`
	}
	if err := c.do(ctx, request{method: "GET", route: emojisRoute,
		url: discordgo.EndpointApplicationEmojis(appID)}, &found); err != nil {
		return nil, err
	}
	ids := make(map[string]string, len(found.Items))
	for _, e := range found.Items {
		ids[e.Name] = e.ID
	}
	return ids, nil
}

// CreateEmoji uploads a PNG as an emoji of an application, and returns its ID.
func (c *Client) CreateEmoji(ctx context.Context, appID, name string, png []byte) (id string, err error) {
	var made emoji
	err = c.do(ctx, request{
		method: "POST", route: emojisRoute, url: discordgo.EndpointApplicationEmojis(appID),
		body: map[string]string{"name": name,
			"image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)},
	}, &made)
	if err == nil && made.ID == "" {
		err = errNoID
	}
	return made.ID, err
}

// EmojiURL is the address of the picture of an emoji.
func EmojiURL(id string) string { return "https://cdn.discordapp.com/emojis/" + id + ".png?size=96" }
