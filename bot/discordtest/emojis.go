package discordtest

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// appEmoji is an emoji of the application.
type appEmoji struct {
	ID, Name string
	Kind     string // of its picture, such as image/png
	Picture  []byte
	Animated bool
}

const (
	maxAppEmojis = 2000
	maxEmojiSize = 256 << 10
)

var (
	emojiName    = regexp.MustCompile(`^\w{2,32}$`)
	emojiPicture = regexp.MustCompile(`^data:(image/(?:png|jpeg|gif|webp|avif));base64,(.*)$`)
)

func (e *appEmoji) wire(by User) map[string]any {
	return map[string]any{
		"id": e.ID, "name": e.Name, "user": by, "roles": []string{}, "require_colons": true, "managed": false,
		"animated": e.Animated, "available": true,
	}
}

// emojiRequest is what an emoji is made of.
type emojiRequest struct {
	Name  string `json:"name"`
	Image string `json:"image"`
}

// checkName checks the name of an emoji. The description has its length alone.
func (c *call) checkName(p *problems, name, own string) {
	if !emojiName.MatchString(name) {
		p.add([]string{"name"}, "STRING_TYPE_REGEX", "String value did not match validation regex.")
	}
	if slices.ContainsFunc(c.world.Emojis, func(e *appEmoji) bool { return e.Name == name && e.ID != own }) {
		p.add([]string{"name"}, "APPLICATION_EMOJI_NAME_ALREADY_TAKEN",
			"An emoji with this name already exists")
	}
}

func (c *call) createEmoji() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	var req emojiRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	var p problems
	c.checkName(&p, req.Name, "")
	made := &appEmoji{Name: req.Name}
	at := []string{"image"}
	parts := emojiPicture.FindStringSubmatch(req.Image)
	if parts == nil {
		p.add(at, "IMAGE_INVALID", "Invalid image data")
	} else {
		data, err := base64.StdEncoding.DecodeString(parts[2])
		made.Kind, made.Picture, made.Animated = parts[1], data, parts[1] == "image/gif"
		switch {
		case err != nil || made.Kind != "image/avif" && http.DetectContentType(data) != made.Kind:
			p.add(at, "IMAGE_INVALID", "Invalid image data")
		case len(data) > maxEmojiSize:
			p.add(at, "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
		}
	}
	if len(p.list) > 0 {
		return nil, badForm(p.list...)
	}
	if len(c.world.Emojis) >= maxAppEmojis {
		return nil, refuse(30008)
	}
	made.ID = c.newID()
	c.world.Emojis = append(c.world.Emojis, made)
	c.status = 201
	c.announce()
	return made.wire(c.world.bot().wire()), nil
}

func (c *call) listEmojis() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	items := []any{}
	for _, e := range c.world.Emojis {
		items = append(items, e.wire(c.world.bot().wire()))
	}
	return map[string]any{"items": items}, nil
}

// emoji is the one in the path.
func (c *call) emoji() (*appEmoji, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	if e := c.world.emoji(c.params["emoji_id"]); e != nil {
		return e, nil
	}
	return nil, refuse(10014)
}

func (c *call) getEmoji() (any, *Error) {
	e, apiErr := c.emoji()
	if apiErr != nil {
		return nil, apiErr
	}
	return e.wire(c.world.bot().wire()), nil
}

func (c *call) renameEmoji() (any, *Error) {
	e, apiErr := c.emoji()
	if apiErr != nil {
		return nil, apiErr
	}
	var req emojiRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	var p problems
	c.checkName(&p, req.Name, e.ID)
	if len(p.list) > 0 {
		return nil, badForm(p.list...)
	}
	e.Name = req.Name
	c.announce()
	return e.wire(c.world.bot().wire()), nil
}

func (c *call) deleteEmoji() (any, *Error) {
	e, apiErr := c.emoji()
	if apiErr != nil {
		return nil, apiErr
	}
	c.world.Emojis = slices.DeleteFunc(c.world.Emojis, func(other *appEmoji) bool { return other == e })
	c.announce()
	return nil, nil
}

func (w *world) emoji(id string) *appEmoji {
	for _, e := range w.Emojis {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// checkEmojis finds emojis on buttons and in lists that the application does not have, and names that are
// no emoji.
func (d *Discord) checkEmojis(p *problems, path []string, list []Component) {
	check := func(e *Emoji, path []string) {
		switch {
		case e == nil:
		case e.ID != nil && d.world.emoji(*e.ID) == nil:
			p.add(at(path, "emoji", "id"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")
		case e.ID == nil && !isEmoji(e.Name):
			p.add(at(path, "emoji", "name"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")
		}
	}
	walk(list, at(path, "components"), func(c *Component, here []string) {
		check(c.Emoji, here)
		for i := range c.Options {
			check(c.Options[i].Emoji, at(here, "options", itoa(i)))
		}
	})
}

// Emojis are the names of the application's emojis, oldest first.
func (d *Discord) Emojis() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := []string{}
	for _, e := range d.world.Emojis {
		names = append(names, e.Name)
	}
	return names
}

// pageEmoji serves the picture of an emoji, as Discord's own server for pictures does.
func (d *Discord) pageEmoji(w http.ResponseWriter, r *http.Request) {
	pageHeaders(w)
	d.mu.Lock()
	e := d.world.emoji(strings.TrimSuffix(r.PathValue("emoji"), ".png"))
	d.mu.Unlock()
	if e == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", e.Kind)
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = bytes.NewReader(e.Picture).WriteTo(w) // a page that is gone has no use for it
}
