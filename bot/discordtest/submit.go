package discordtest

import (
	"fmt"
	"strings"
)

// submit sends a modal with what a user filled in, by custom id or label. Fields that are left out
// keep their value.
func (d *Discord) submit(opener *interaction, fields map[string]string, forged bool) (*interaction, error) {
	m := opener.modal
	if opener.submitted != nil && opener.submitted.answer != 0 && !forged {
		return nil, fmt.Errorf("the modal %q has been sent and is closed", m.Title)
	}
	used, behind := map[string]bool{}, resolved{}
	fill := func(c *Component, label string) (map[string]any, error) {
		text, given := fields[c.CustomID]
		used[c.CustomID] = true
		if !given {
			text, given = fields[label]
			used[label] = given || used[label]
		}
		return d.fillIn(c, label, text, given, forged, behind)
	}
	parts := []any{}
	for _, c := range m.Components {
		part := map[string]any{"type": c.Type, "id": c.ID}
		switch c.Type {
		case ActionRow:
			inside := []any{}
			for _, in := range c.Components {
				filled, err := fill(&in, in.Label)
				if err != nil {
					return nil, err
				}
				inside = append(inside, filled)
			}
			part["components"] = inside
		case LabelKind:
			filled, err := fill(c.Component, c.Label)
			if err != nil {
				return nil, err
			}
			part["component"] = filled
		}
		parts = append(parts, part)
	}
	for name := range fields {
		if !used[name] && !forged {
			return nil, fmt.Errorf("the modal %q has no field %q", m.Title, name)
		}
	}
	i := &interaction{kind: kindModal, user: opener.user, channel: opener.channel,
		what: fmt.Sprintf("modal %q", m.Title), trigger: opener,
		data: map[string]any{"custom_id": m.CustomID, "components": parts}}
	if len(behind) > 0 {
		i.data.(map[string]any)["resolved"] = behind
	}
	if opener.kind == kindComponent {
		i.source = opener.source
	}
	opener.submitted = i
	return d.begin(i), nil
}

// fillIn is one field as the client sends it.
func (d *Discord) fillIn(
	c *Component, label, text string, given, forged bool, behind resolved,
) (map[string]any, error) {
	sent := map[string]any{"type": c.Type, "id": c.ID, "custom_id": c.CustomID}
	switch c.Type {
	case TextInput:
		if !given {
			text = c.Value
		}
		low, high := 0, 4000
		if c.required() {
			low = 1
		}
		if c.MinLength != nil && (text != "" || c.required()) {
			low = max(low, *c.MinLength)
		}
		if c.MaxLength != nil {
			high = *c.MaxLength
		}
		if n := utf16Length(text); !forged && (n < low || n > high) {
			return nil, fmt.Errorf("the field %q takes %d to %d characters, not %d", label, low, high, n)
		}
		sent["value"] = text
	case Checkbox:
		sent["value"] = c.Default
		if given {
			sent["value"] = text == "true"
		}
	case RadioGroup, CheckboxGroup, StringSelect, UserSelect, MentionableSelect, ChannelSelect:
		return sent, d.fillChoices(c, label, text, given, forged, sent, behind)
	default:
		return nil, fmt.Errorf("the stand-in cannot fill in the field %q of kind %d", label, c.Type)
	}
	return sent, nil
}

// fillChoices sends what a user chose in a modal; several choices are one per line.
func (d *Discord) fillChoices(
	c *Component, label, text string, given, forged bool, sent map[string]any, behind resolved,
) error {
	var chosen []string
	if given && text != "" {
		chosen = strings.Split(text, "\n")
	}
	if !given {
		for _, o := range c.Options {
			if o.Default {
				chosen = append(chosen, o.Value)
			}
		}
	}
	if len(chosen) == 0 {
		if c.required() && !forged {
			return fmt.Errorf("the field %q must be filled in", label)
		}
		sent["values"] = []string{}
		if c.Type == RadioGroup {
			delete(sent, "values")
			sent["value"] = nil
		}
		return nil
	}
	values, err := d.pick(c, chosen, behind)
	if err != nil && !forged {
		return fmt.Errorf("the field %q: %w", label, err)
	}
	if err != nil {
		values = chosen
	}
	sent["values"] = values
	if c.Type == RadioGroup {
		delete(sent, "values")
		sent["value"] = values[0]
	}
	return nil
}
