package discordtest

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
)

// ComponentType is the kind of a component, by Discord's numbers.
type ComponentType int

// The kinds of components.
const (
	ActionRow         ComponentType = 1
	ButtonKind        ComponentType = 2
	StringSelect      ComponentType = 3
	TextInput         ComponentType = 4
	UserSelect        ComponentType = 5
	RoleSelect        ComponentType = 6
	MentionableSelect ComponentType = 7
	ChannelSelect     ComponentType = 8
	Section           ComponentType = 9
	TextDisplay       ComponentType = 10
	Thumbnail         ComponentType = 11
	MediaGallery      ComponentType = 12
	FileKind          ComponentType = 13
	Separator         ComponentType = 14
	Container         ComponentType = 17
	LabelKind         ComponentType = 18
	FileUpload        ComponentType = 19
	RadioGroup        ComponentType = 21
	CheckboxGroup     ComponentType = 22
	Checkbox          ComponentType = 23
)

func (t ComponentType) selects() bool {
	return t == StringSelect || t >= UserSelect && t <= ChannelSelect
}

// onlyV2 kinds are allowed in a message only with the flag for components v2.
func (t ComponentType) onlyV2() bool { return t >= Section && t <= Container }

// Button styles.
const (
	StylePrimary = 1 + iota
	StyleSecondary
	StyleSuccess
	StyleDanger
	StyleLink
	StylePremium
)

// Component is any component: the fields that its kind does not have stay empty.
type Component struct {
	Type         ComponentType     `json:"type"`
	ID           int               `json:"id,omitempty"`
	CustomID     string            `json:"custom_id,omitempty"`
	Label        string            `json:"label,omitempty"` // of a button, a label, or an old text input
	Description  string            `json:"description,omitempty"`
	Style        int               `json:"style,omitempty"`
	Emoji        *Emoji            `json:"emoji,omitempty"`
	URL          string            `json:"url,omitempty"`
	SKUID        string            `json:"sku_id,omitempty"`
	Disabled     bool              `json:"disabled,omitempty"`
	Placeholder  string            `json:"placeholder,omitempty"`
	Options      []SelectOption    `json:"options,omitempty"`
	MinValues    *int              `json:"min_values,omitempty"`
	MaxValues    *int              `json:"max_values,omitempty"`
	ChannelTypes []int             `json:"channel_types,omitempty"`
	Defaults     []json.RawMessage `json:"default_values,omitempty"`
	Required     *bool             `json:"required,omitempty"` // true when left out
	MinLength    *int              `json:"min_length,omitempty"`
	MaxLength    *int              `json:"max_length,omitempty"`
	Value        string            `json:"value,omitempty"`
	Default      bool              `json:"default,omitempty"` // of a checkbox
	Content      string            `json:"content,omitempty"` // of a text display
	AccentColor  *int              `json:"accent_color,omitempty"`
	Spoiler      bool              `json:"spoiler,omitempty"`
	Divider      *bool             `json:"divider,omitempty"`
	Spacing      int               `json:"spacing,omitempty"`
	Media        *Media            `json:"media,omitempty"`
	File         json.RawMessage   `json:"file,omitempty"`
	Items        []MediaItem       `json:"items,omitempty"`
	Components   []Component       `json:"components,omitempty"`
	Component    *Component        `json:"component,omitempty"` // inside a label
	Accessory    *Component        `json:"accessory,omitempty"` // beside a section
}

// Media is a picture.
type Media struct {
	ID       string `json:"id,omitempty"`
	URL      string `json:"url"`
	ProxyURL string `json:"proxy_url,omitempty"`
}

// MediaItem is a picture of a gallery.
type MediaItem struct {
	Media       Media   `json:"media"`
	Description *string `json:"description"`
	Spoiler     bool    `json:"spoiler"`
}

// SelectOption is one line of a list.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// MarshalJSON spells out what Discord always spells out.
func (c Component) MarshalJSON() ([]byte, error) {
	type plain Component
	switch c.Type {
	case Container:
		return json.Marshal(struct {
			plain
			AccentColor *int `json:"accent_color"`
			Spoiler     bool `json:"spoiler"`
		}{plain(c), c.AccentColor, c.Spoiler})
	case Thumbnail:
		var description *string
		if c.Description != "" {
			description = &c.Description
		}
		return json.Marshal(struct {
			plain
			Description *string `json:"description"`
			Spoiler     bool    `json:"spoiler"`
		}{plain(c), description, c.Spoiler})
	}
	return json.Marshal(plain(c))
}

func (c Component) required() bool { return c.Required == nil || *c.Required }

// walk visits a tree of components, each before its children, with the path of keys that leads to
// it.
func walk(list []Component, path []string, visit func(c *Component, path []string)) {
	for i := range list {
		walkOne(&list[i], at(path, itoa(i)), visit)
	}
}

func walkOne(c *Component, path []string, visit func(c *Component, path []string)) {
	visit(c, path)
	walk(c.Components, at(path, "components"), visit)
	if c.Component != nil {
		walkOne(c.Component, at(path, "component"), visit)
	}
	if c.Accessory != nil {
		walkOne(c.Accessory, at(path, "accessory"), visit)
	}
}

// pictures visits the pictures of a component, each with the path of keys that leads to it.
func (c *Component) pictures(path []string, visit func(m *Media, path []string)) {
	if c.Media != nil {
		visit(c.Media, at(path, "media"))
	}
	for i := range c.Items {
		visit(&c.Items[i].Media, at(path, "items", itoa(i), "media"))
	}
}

// wordsOf is what there is to read in components, in order.
func wordsOf(list []Component) (all []string) {
	walk(list, nil, func(c *Component, _ []string) {
		if c.Type == TextDisplay {
			all = append(all, c.Content)
		}
	})
	return all
}

// complete gives every component its number and its defaults, as Discord does when it takes a message in.
func complete(list []Component) {
	taken := map[int]bool{}
	walk(list, nil, func(c *Component, _ []string) { taken[c.ID] = true })
	next := 1
	walk(list, nil, func(c *Component, _ []string) {
		if c.ID == 0 {
			for taken[next] {
				next++
			}
			c.ID, taken[next] = next, true
		}
		if c.Type.selects() || c.Type == CheckboxGroup || c.Type == FileUpload {
			one := 1
			if c.MinValues == nil {
				c.MinValues = &one
			}
			if c.MaxValues == nil {
				c.MaxValues = &one
			}
		}
		c.pictures(nil, func(m *Media, _ []string) {
			m.ID, m.ProxyURL = mediaID(m.URL), m.URL
		})
		if c.Type == Separator {
			yes := true
			if c.Divider == nil {
				c.Divider = &yes
			}
			c.Spacing = max(c.Spacing, 1)
		}
	})
}

// mediaID is the ID of a picture: the same for the same address.
func mediaID(address string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(address)) // it returns no error
	return strconv.FormatUint(sum.Sum64()>>2|1<<60, 10)
}
