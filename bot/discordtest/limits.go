package discordtest

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The limits in this file are documented by Discord and missing from its machine-readable description.

const (
	maxContent      = 2000
	maxEmbedTotal   = 6000
	maxRows         = 5
	maxComponentsV2 = 40
	maxTextV2       = 4000
	maxModalParts   = 5
	maxCommandSize  = 8000
	maxCommands     = 100
	maxCreatesADay  = 200
)

// length counts characters as Discord's limits do.
func length(s string) int { return utf8.RuneCountInString(s) }

// utf16Length counts as clients do, in text fields.
func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

type problems struct{ list []Problem }

func (p *problems) add(path []string, code, format string, args ...any) {
	p.list = append(p.list, Problem{append([]string(nil), path...), code, fmt.Sprintf(format, args...)})
}

func (p *problems) longest(path []string, s string, limit int) {
	if length(s) > limit {
		p.add(path, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", limit)
	}
}

func at(path []string, keys ...string) []string { return append(path[:len(path):len(path)], keys...) }

// checkContent checks a message's text against the limits for bots.
func (p *problems) checkContent(path []string, content string) {
	p.longest(at(path, "content"), content, maxContent)
}

// trimEmbeds does what Discord does before it measures.
func trimEmbeds(list []Embed) {
	for i := range list {
		e := &list[i]
		e.Type = "rich"
		e.Title = strings.TrimSpace(e.Title)
		e.Description = strings.TrimSpace(e.Description)
		if e.Author != nil {
			e.Author.Name = strings.TrimSpace(e.Author.Name)
		}
		if e.Footer != nil {
			e.Footer.Text = strings.TrimSpace(e.Footer.Text)
		}
		for j := range e.Fields {
			e.Fields[j].Name = strings.TrimSpace(e.Fields[j].Name)
			e.Fields[j].Value = strings.TrimSpace(e.Fields[j].Value)
		}
	}
}

// checkEmbeds measures trimmed embeds.
func (p *problems) checkEmbeds(path []string, list []Embed) {
	total := 0
	for i, e := range list {
		here := at(path, "embeds", itoa(i))
		total += length(e.Title) + length(e.Description)
		if e.Author != nil {
			total += length(e.Author.Name)
			p.checkURL(at(here, "author", "icon_url"), e.Author.IconURL)
			p.checkURL(at(here, "author", "url"), e.Author.URL)
		}
		if e.Footer != nil {
			total += length(e.Footer.Text)
			p.checkURL(at(here, "footer", "icon_url"), e.Footer.IconURL)
		}
		if e.Image != nil {
			p.checkURL(at(here, "image", "url"), e.Image.URL)
		}
		if e.Thumbnail != nil {
			p.checkURL(at(here, "thumbnail", "url"), e.Thumbnail.URL)
		}
		p.checkURL(at(here, "url"), e.URL)
		for j, f := range e.Fields {
			total += length(f.Name) + length(f.Value)
			for key, value := range map[string]string{"name": f.Name, "value": f.Value} {
				if value == "" {
					p.add(at(here, "fields", itoa(j), key), "BASE_TYPE_REQUIRED", "This field is required")
				}
			}
		}
		if e.Title == "" && e.Description == "" && len(e.Fields) == 0 && e.Image == nil &&
			e.Thumbnail == nil &&
			(e.Author == nil || e.Author.Name == "") && (e.Footer == nil || e.Footer.Text == "") {
			p.add(at(here, "description"), "BASE_TYPE_REQUIRED", "This field is required")
		}
	}
	if total > maxEmbedTotal {
		p.add(at(path, "embeds"), "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d",
			maxEmbedTotal)
	}
}

func (p *problems) checkURL(path []string, link string) {
	if link == "" {
		return
	}
	scheme, _, _ := strings.Cut(link, ":")
	switch scheme {
	case "http", "https":
		if !hasHost(link) {
			p.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
		}
		return
	case "attachment", "discord":
		return
	}
	p.add(path, "URL_TYPE_INVALID_SCHEME",
		"Scheme %q is not supported. Scheme must be one of ('http', 'https').", scheme)
}

// hasHost reports whether a link has a host that Discord takes: one with a dot inside, and no wildcard
// address.
func hasHost(link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return strings.Contains(strings.Trim(host, "."), ".") && host != "0.0.0.0"
}

// checkComponents checks the components of a message against the documented layout.
func (p *problems) checkComponents(path []string, list []Component, v2 bool) {
	path = at(path, "components")
	if !v2 && len(list) > maxRows {
		p.add(path, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxRows)
	}
	total, words, seen, ids := 0, 0, map[string]bool{}, map[int]bool{}
	walk(list, path, func(c *Component, here []string) {
		total++
		words += length(c.Content)
		if c.Type.onlyV2() && !v2 {
			p.add(at(here, "type"), "UNION_TYPE_CHOICES",
				"Value of field \"type\" must be one of (1,) unless the message uses components v2.")
		}
		if c.Type == ActionRow {
			p.checkRow(here, c.Components)
		}
		if c.ID != 0 && ids[c.ID] {
			p.add(at(here, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
		}
		ids[c.ID] = true
		if c.CustomID != "" {
			if seen[c.CustomID] {
				p.add(at(here, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED",
					"Component custom id cannot be duplicated")
			}
			seen[c.CustomID] = true
		}
		switch {
		case c.Type == ButtonKind:
			p.checkButton(here, c)
		case c.Type.selects():
			p.checkSelect(here, c)
		case c.Type == TextDisplay && strings.TrimSpace(c.Content) == "":
			p.add(at(here, "content"), "BASE_TYPE_REQUIRED", "This field is required")
		}
		c.pictures(here, func(m *Media, here []string) { p.checkURL(at(here, "url"), m.URL) })
	})
	if words > maxTextV2 {
		p.add(path, "COMPONENT_MAX_TOTAL_TEXT_EXCEEDED",
			"The text of all components cannot exceed %d characters", maxTextV2)
	}
	if v2 && total > maxComponentsV2 {
		p.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
			"The total number of components cannot exceed %d", maxComponentsV2)
	}
}

func (p *problems) checkRow(path []string, inside []Component) {
	selects := 0
	for _, c := range inside {
		if c.Type.selects() {
			selects++
		}
	}
	if selects > 0 && len(inside) > 1 {
		p.add(at(path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
			"The specified component exceeds the maximum width")
	}
}

func (p *problems) checkButton(path []string, c *Component) {
	switch {
	case c.Style == StyleLink:
		if c.URL == "" {
			p.add(at(path, "url"), "BASE_TYPE_REQUIRED", "A url is required")
		}
		if c.CustomID != "" {
			p.add(at(path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
				"A custom id and url cannot both be specified")
		}
		p.checkURL(at(path, "url"), c.URL)
	case c.Style == StylePremium:
		if c.SKUID == "" {
			p.add(at(path, "sku_id"), "BASE_TYPE_REQUIRED", "This field is required")
		}
		return
	default:
		if c.CustomID == "" {
			p.add(at(path, "custom_id"), "BASE_TYPE_REQUIRED", "A custom id is required")
		}
		if c.URL != "" {
			p.add(at(path, "url"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
				"A custom id and url cannot both be specified")
		}
	}
	if c.Label == "" && c.Emoji == nil {
		p.add(at(path, "label"), "BUTTON_COMPONENT_MISSING_LABEL_OR_EMOJI",
			"A button must have a label or an emoji")
	}
}

func (p *problems) checkSelect(path []string, c *Component) {
	low, high := 1, 1
	if c.MinValues != nil {
		low = *c.MinValues
	}
	if c.MaxValues != nil {
		high = *c.MaxValues
	}
	if low > high {
		p.add(at(path, "min_values"), "SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX_VALUES",
			"min_values must not exceed max_values")
	}
	if c.Type != StringSelect {
		return
	}
	if high > len(c.Options) {
		p.add(at(path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_GREATER_THAN_OPTIONS",
			"max_values must not exceed the number of options")
	}
	values, defaults := map[string]bool{}, 0
	for i, o := range c.Options {
		if values[o.Value] {
			p.add(at(path, "options", itoa(i), "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
				"The specified option value is already used")
		}
		values[o.Value] = true
		if o.Default {
			defaults++
		}
	}
	if defaults > high {
		p.add(at(path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
			"More default values than max_values")
	}
}

// checkModal checks a modal against the documented layout.
func (p *problems) checkModal(path []string, m *Modal) {
	path = at(path, "components")
	if len(m.Components) > maxModalParts {
		p.add(path, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and %d in length.", maxModalParts)
	}
	seen := map[string]bool{}
	for i, c := range m.Components {
		here := at(path, itoa(i))
		if c.Type == ActionRow {
			if len(c.Components) != 1 {
				p.add(at(here, "components"), "BASE_TYPE_BAD_LENGTH", "Must be exactly 1 in length.")
			}
			for j, in := range c.Components {
				if in.Label == "" {
					p.add(at(here, "components", itoa(j), "label"), "BASE_TYPE_REQUIRED",
						"This field is required")
				}
			}
		}
		if c.Type == LabelKind && c.Component != nil {
			if c.Component.Type == TextInput && c.Component.Label != "" {
				p.add(at(here, "component", "label"), "COMPONENT_LABEL_NOT_ALLOWED",
					"The label belongs to the surrounding label component")
			}
			if c.Component.Type.selects() && c.Component.Disabled {
				p.add(at(here, "component", "disabled"), "COMPONENT_DISABLED_NOT_ALLOWED",
					"Selects in modals cannot be disabled")
			}
		}
	}
	walk(m.Components, path, func(c *Component, here []string) {
		if c.CustomID != "" && seen[c.CustomID] {
			p.add(at(here, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED",
				"Component custom id cannot be duplicated")
		}
		seen[c.CustomID] = true
		if c.Type == TextInput {
			p.checkTextInput(here, c)
		}
		if c.Type.selects() {
			p.checkSelect(here, c)
		}
	})
}

func (p *problems) checkTextInput(path []string, c *Component) {
	low, high := 0, 4000
	if c.MinLength != nil {
		low = *c.MinLength
	}
	if c.MaxLength != nil {
		high = *c.MaxLength
	}
	if low > high {
		p.add(at(path, "min_length"), "TEXT_INPUT_MIN_LENGTH_GREATER_THAN_MAX_LENGTH",
			"min_length must not exceed max_length")
	}
	if c.Value != "" && (length(c.Value) < low || length(c.Value) > high) {
		p.add(at(path, "value"), "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", low, high)
	}
}
