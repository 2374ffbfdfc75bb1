package bot

import "github.com/bwmarrin/discordgo"

// Limits of forms.
const (
	maxFormTitle  = 45
	maxFieldLabel = 45
	maxFieldHint  = 100
	maxFieldText  = 4000
)

// The library has no labels, and the text inputs that it knows are outdated; so forms have their own JSON.

type formBody struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []formLabel `json:"components"`
}

type formLabel struct {
	Kind        int    `json:"type"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Component   any    `json:"component"`
}

type formText struct {
	Kind      int    `json:"type"`
	CustomID  string `json:"custom_id"`
	Style     int    `json:"style"`
	Value     string `json:"value,omitempty"`
	Required  bool   `json:"required"`
	MaxLength int    `json:"max_length"`
}

type formSelect struct {
	Kind     int                          `json:"type"`
	CustomID string                       `json:"custom_id"`
	Options  []discordgo.SelectMenuOption `json:"options"`
	Required bool                         `json:"required"`
}

const (
	labelKind     = 18
	textInputKind = 4
	selectKind    = 3
	shortText     = 1
	longText      = 2
)

func (f *form) body() formBody {
	body := formBody{CustomID: f.press.String(), Title: clip(f.title, maxFormTitle)}
	for _, one := range f.fields {
		label := formLabel{Kind: labelKind, Label: clip(one.label, maxFieldLabel), Description: clip(one.hint, maxFieldHint)}
		if len(one.choices) > 0 {
			label.Component = formSelect{Kind: selectKind, CustomID: one.name, Options: one.choices, Required: !one.optional}
		} else {
			limit := min(max(one.limit, 1), maxFieldText)
			text := formText{
				Kind: textInputKind, CustomID: one.name, Style: shortText, Value: clip(one.value, limit), Required: !one.optional, MaxLength: limit,
			}
			if one.long {
				text.Style = longText
			}
			label.Component = text
		}
		body.Components = append(body.Components, label)
	}
	return body
}
