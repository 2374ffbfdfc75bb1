package bot

import (
	"encoding/json"
	"strconv"
)

// interactionKind is what a person did.
type interactionKind int

const (
	pinged interactionKind = iota + 1
	commanded
	pressed
	typing // an option that autocompletes
	submitted
)

// interaction is what Discord says that a person did, as far as we read it. The library's own type cannot decode the
// newer components of a form, so it is decoded here.
type interaction struct {
	ID            string          `json:"id"`
	ApplicationID string          `json:"application_id"`
	Kind          interactionKind `json:"type"`
	Token         string          `json:"token"`
	GuildID       string          `json:"guild_id"`
	ChannelID     string          `json:"channel_id"`
	Locale        string          `json:"locale"`
	GuildLocale   string          `json:"guild_locale"`
	Member        *member         `json:"member"` // in a server
	User          *account        `json:"user"`   // in a direct message
	Message       *struct {
		ID    string `json:"id"`
		Flags int    `json:"flags"`
	} `json:"message"` // that was pressed on
	Data           interactionData `json:"data"`
	AppPermissions string          `json:"app_permissions"`
}

type member struct {
	User        account  `json:"user"`
	Nick        string   `json:"nick"`
	Roles       []string `json:"roles"`
	Permissions string   `json:"permissions"`
}

type account struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
}

type interactionData struct {
	Name       string     `json:"name"`
	Options    []option   `json:"options"`
	CustomID   string     `json:"custom_id"`
	Values     []string   `json:"values"`
	Components []formPart `json:"components"`
}

// option is an option of a command, or the subcommand that holds them.
type option struct {
	Name    string          `json:"name"`
	Kind    optionKind      `json:"type"`
	Value   json.RawMessage `json:"value"`
	Options []option        `json:"options"`
	Focused bool            `json:"focused"`
}

// formPart is a component of a submitted form: a label, an old action row, or a field.
type formPart struct {
	CustomID   string     `json:"custom_id"`
	Value      string     `json:"value"`
	Values     []string   `json:"values"`
	Component  *formPart  `json:"component"`
	Components []formPart `json:"components"`
}

func decodeInteraction(data []byte) (*interaction, error) {
	var i interaction
	if err := json.Unmarshal(data, &i); err != nil {
		return nil, err
	}
	return &i, nil
}

// author is whoever did it, in a server or in a direct message.
func (i *interaction) author() account {
	switch {
	case i.Member != nil:
		return i.Member.User
	case i.User != nil:
		return *i.User
	}
	return account{}
}

// displayName is what others see the author called where it happened.
func (i *interaction) displayName() string {
	a := i.author()
	for _, name := range []string{i.nick(), a.GlobalName, a.Username} {
		if name != "" {
			return name
		}
	}
	return ""
}

func (i *interaction) nick() string {
	if i.Member == nil {
		return ""
	}
	return i.Member.Nick
}

// roles are the ids of the author's roles where it happened; none in a direct message.
func (i *interaction) roles() []string {
	if i.Member == nil {
		return nil
	}
	return i.Member.Roles
}

// Permissions that we ask about, as bits.
const (
	administrator = 1 << 3
	manageServer  = 1 << 5
	viewChannel   = 1 << 10
	sendMessages  = 1 << 11
	embedLinks    = 1 << 14
)

// may tells whether a set of permissions, as Discord writes it, holds all the bits.
func may(permissions string, bits uint64) bool {
	held, err := strconv.ParseUint(permissions, 10, 64)
	return err == nil && (held&administrator != 0 || held&bits == bits)
}

// command is the path of the command, such as "request post", and its options.
func (i *interaction) command() (path string, options []option) {
	path, options = i.Data.Name, i.Data.Options
	for len(options) == 1 && (options[0].Kind == subcommand || options[0].Kind == subcommandGroup) {
		path += " " + options[0].Name
		options = options[0].Options
	}
	return path, options
}

// fields are the values of a submitted form by custom_id. A select has its first value.
func (i *interaction) fields() map[string]string {
	values := map[string]string{}
	gather(i.Data.Components, values, 0)
	return values
}

func gather(parts []formPart, into map[string]string, depth int) {
	if depth > 4 { // forms are two levels deep
		return
	}
	for _, p := range parts {
		if p.CustomID != "" {
			into[p.CustomID] = p.Value
			if len(p.Values) > 0 {
				into[p.CustomID] = p.Values[0]
			}
		}
		if p.Component != nil {
			gather([]formPart{*p.Component}, into, depth+1)
		}
		gather(p.Components, into, depth+1)
	}
}

// text is the value of an option as it was typed, whatever its type.
func (o option) text() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return string(o.Value)
}
