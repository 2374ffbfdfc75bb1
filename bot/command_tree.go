package bot

import "strconv"

// optionKind is the type of an option, by Discord's numbers.
type optionKind int

const (
	subcommand      optionKind = 1
	subcommandGroup optionKind = 2
	textOption      optionKind = 3
	numberOption    optionKind = 4
	switchOption    optionKind = 5
)

// command is a slash command as Discord keeps it, less what Discord adds.
type command struct {
	Name          string            `json:"name"`
	NameIn        map[string]string `json:"name_localizations,omitempty"`
	Description   string            `json:"description"`
	DescriptionIn map[string]string `json:"description_localizations,omitempty"`
	Options       []commandOption   `json:"options,omitempty"`
	Permissions   *string           `json:"default_member_permissions,omitempty"`
	Contexts      []int             `json:"contexts,omitempty"`          // 0 server, 1 our direct messages, 2 other people's
	Installs      []int             `json:"integration_types,omitempty"` // 0 in a server, 1 for a user
}

type commandOption struct {
	Kind          optionKind        `json:"type"`
	Name          string            `json:"name"`
	NameIn        map[string]string `json:"name_localizations,omitempty"`
	Description   string            `json:"description"`
	DescriptionIn map[string]string `json:"description_localizations,omitempty"`
	Required      bool              `json:"required,omitempty"`
	Autocomplete  bool              `json:"autocomplete,omitempty"`
	Choices       []commandChoice   `json:"choices,omitempty"`
	MinValue      *int              `json:"min_value,omitempty"`
	MaxValue      *int              `json:"max_value,omitempty"`
	MinLength     *int              `json:"min_length,omitempty"`
	MaxLength     *int              `json:"max_length,omitempty"`
	Options       []commandOption   `json:"options,omitempty"`
}

type commandChoice struct {
	Name   string            `json:"name"`
	NameIn map[string]string `json:"name_localizations,omitempty"`
	Value  string            `json:"value"`
}

// Builders, so that the tree in commands.go reads as one.

func group(name, description string, subcommands ...commandOption) command {
	return command{Name: name, Description: description, Options: subcommands, Contexts: []int{0, 1, 2}, Installs: []int{0, 1}}
}

// alone is a command without subcommands.
func alone(name, description string, options ...commandOption) command {
	return group(name, description, options...)
}

// managed is for servers, and there for members who may manage them.
func managed(c command) command {
	permissions := strconv.Itoa(manageServer)
	c.Permissions, c.Contexts, c.Installs = &permissions, []int{0}, []int{0}
	return c
}

func sub(name, description string, options ...commandOption) commandOption {
	return commandOption{Kind: subcommand, Name: name, Description: description, Options: options}
}

func text(name, description string, limit int) commandOption {
	return commandOption{Kind: textOption, Name: name, Description: description, MaxLength: &limit}
}

func number(name, description string, least, most int) commandOption {
	return commandOption{Kind: numberOption, Name: name, Description: description, MinValue: &least, MaxValue: &most}
}

func yes(name, description string) commandOption {
	return commandOption{Kind: switchOption, Name: name, Description: description}
}

func (o commandOption) required() commandOption {
	o.Required = true
	return o
}

// suggested options complete while one types.
func (o commandOption) suggested() commandOption {
	o.Autocomplete = true
	return o
}

func (o commandOption) of(choices []commandChoice) commandOption {
	o.Choices, o.MaxLength = choices, nil
	return o
}

// localise fills in the names and descriptions of every language but the first, and what the game says.
func localise(tree []command) []command {
	for i := range tree {
		c := &tree[i]
		c.NameIn, c.DescriptionIn = translations(c.Name)
		localiseOptions(c.Name, c.Options)
	}
	return tree
}

func localiseOptions(path string, options []commandOption) {
	for i := range options {
		o := &options[i]
		own := path + " " + o.Name
		o.Description = english.inGame(o.Description)
		o.NameIn, o.DescriptionIn = translations(own)
		localiseOptions(own, o.Options)
	}
}

// named is what a command or option is called in another language.
type named struct{ name, description string }

func translations(path string) (names, descriptions map[string]string) {
	names = inOthers(func(l *language) string { return l.commands[path].name })
	descriptions = inOthers(func(l *language) string { return l.inGame(l.commands[path].description) })
	return names, descriptions
}

// fixedChoice is one that stands in the catalogues.
func fixedChoice(name, value string) commandChoice {
	return commandChoice{Name: name, NameIn: inOthers(func(l *language) string { return l.choices[value] }), Value: value}
}

// inOthers is what is said in every language but the first, by Discord's names for it; nil when nothing is.
func inOthers(said func(*language) string) map[string]string {
	var in map[string]string
	for _, l := range languages[1:] {
		if own := said(l); own != "" {
			if in == nil {
				in = map[string]string{}
			}
			for _, locale := range l.locales {
				in[locale] = own
			}
		}
	}
	return in
}
