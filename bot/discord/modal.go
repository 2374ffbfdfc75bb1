package discord

import (
	"encoding/json"
	"maps"

	"github.com/bwmarrin/discordgo"
)

// This file adds features that discordgo v0.29 lacks: labels in modals, the fields of a submitted modal with
// labels, an empty list of autocomplete choices, and the nonce of a message. When the library has them, it
// can go.

// Limits of modals.
const (
	maxModalTitle  = 45
	maxFieldLabel  = 45
	maxFieldHint   = 100
	maxFieldLength = 4000
)

// Modal is a form that opens over Discord.
type Modal struct {
	ID     CustomID
	Title  string
	Fields []Field
}

// Field is one input of a modal: a select when it has options, else a text.
type Field struct {
	Name      string
	Label     string
	Hint      string
	Value     string
	Long      bool
	Optional  bool
	MaxLength int
	Options   []discordgo.SelectMenuOption
}

// modalResponse is the answer that opens a modal.
type modalResponse struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data struct {
		CustomID   string  `json:"custom_id"`
		Title      string  `json:"title"`
		Components []label `json:"components"`
	} `json:"data"`
}

const labelComponent discordgo.ComponentType = 18

// label is a component that contains an input, with texts above and below it.
type label struct {
	Type        discordgo.ComponentType `json:"type"`
	Label       string                  `json:"label"`
	Description string                  `json:"description,omitempty"`
	Component   input                   `json:"component"`
}

// input is a text input without its own label, or a select with a required flag.
type input struct {
	Type      discordgo.ComponentType      `json:"type"`
	CustomID  string                       `json:"custom_id"`
	Required  bool                         `json:"required"`
	Style     discordgo.TextInputStyle     `json:"style,omitempty"`
	Value     string                       `json:"value,omitempty"`
	MaxLength int                          `json:"max_length,omitempty"`
	Options   []discordgo.SelectMenuOption `json:"options,omitempty"`
}

func (m *Modal) response() modalResponse {
	r := modalResponse{Type: discordgo.InteractionResponseModal}
	r.Data.CustomID, r.Data.Title = m.ID.String(), Clip(m.Title, maxModalTitle)
	for _, f := range m.Fields {
		r.Data.Components = append(r.Data.Components, label{
			Type: labelComponent, Label: Clip(f.Label, maxFieldLabel),
			Description: Clip(f.Hint, maxFieldHint), Component: f.input(),
		})
	}
	return r
}

func (f Field) input() input {
	in := input{CustomID: f.Name, Required: !f.Optional}
	if len(f.Options) > 0 {
		in.Type, in.Options = discordgo.SelectMenuComponent, f.Options
		return in
	}
	in.Type, in.Style = discordgo.TextInputComponent, discordgo.TextInputShort
	if f.Long {
		in.Style = discordgo.TextInputParagraph
	}
	in.MaxLength = min(max(f.MaxLength, 1), maxFieldLength)
	in.Value = Clip(f.Value, in.MaxLength)
	return in
}

// modalPart is a component of a submitted modal: a label, an action row or a field.
type modalPart struct {
	CustomID   string      `json:"custom_id"`
	Value      string      `json:"value"`
	Values     []string    `json:"values"`
	Component  *modalPart  `json:"component"`
	Components []modalPart `json:"components"`
}

// cutModalFields returns the data of an interaction without the components of a submitted modal, and their
// values.
func cutModalFields(data []byte) (rest []byte, fields map[string]string, err error) {
	var submitted struct {
		Type discordgo.InteractionType `json:"type"`
		Data struct {
			CustomID   string      `json:"custom_id"`
			Components []modalPart `json:"components"`
		} `json:"data"`
	}
	if json.Unmarshal(data, &submitted) != nil || submitted.Type != discordgo.InteractionModalSubmit {
		return data, nil, nil
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, nil, err
	}
	if all["data"], err = json.Marshal(map[string]string{"custom_id": submitted.Data.CustomID}); err != nil {
		return nil, nil, err
	}
	rest, err = json.Marshal(all)
	return rest, fieldValues(submitted.Data.Components, 0), err
}

func fieldValues(parts []modalPart, depth int) map[string]string {
	values := map[string]string{}
	if depth > 4 { // modals are two levels deep
		return values
	}
	for _, p := range parts {
		if p.CustomID != "" {
			values[p.CustomID] = p.Value
			if len(p.Values) > 0 {
				values[p.CustomID] = p.Values[0]
			}
		}
		if p.Component != nil {
			maps.Copy(values, fieldValues([]modalPart{*p.Component}, depth+1))
		}
		maps.Copy(values, fieldValues(p.Components, depth+1))
	}
	return values
}

// autocomplete is an answer with choices, which may be none.
type autocomplete struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data struct {
		Choices []*discordgo.ApplicationCommandOptionChoice `json:"choices"`
	} `json:"data"`
}

// sendOnce is a message with a nonce: a repeat with the same one makes no second message for some minutes.
type sendOnce struct {
	newBody
	Nonce        string `json:"nonce"`
	EnforceNonce bool   `json:"enforce_nonce"`
}
