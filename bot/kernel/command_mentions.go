package kernel

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	msg "tradepost/core/text"
)

// commandInText matches a command in one of the bot's own texts. User text is escaped, so that it names no
// command.
var commandInText = regexp.MustCompile("`/([^`/]+)`")

// commandInError matches a command in an error of the core: such a text is escaped as a whole.
var commandInError = regexp.MustCompile(`\\/([\pL-]+(?: [\pL-]+)*)`)

// mentioned turns the commands in a text into mentions that can be pressed, once Discord has sent their IDs.
func (t Translator) mentioned(text string) string {
	if len(t.commands) == 0 || !strings.Contains(text, "`/") {
		return text
	}
	return commandInText.ReplaceAllStringFunc(text, func(found string) string {
		if mention := t.commandMention(strings.Trim(found, "`/")); mention != "" {
			return mention
		}
		return found // with options, which a mention can't have
	})
}

// inError does the same for an error without arguments: "Send /board here there." names the first words
// that are a command.
func (t Translator) inError(text string) string {
	if !strings.Contains(text, `\/`) {
		return text
	}
	return commandInError.ReplaceAllStringFunc(text, func(found string) string {
		words := strings.Fields(strings.TrimPrefix(found, `\/`))
		for n := len(words); n > 0; n-- {
			path := strings.Join(words[:n], " ")
			if pathOf(t.Language, path) == "" {
				continue
			}
			shown := t.commandMention(path)
			if shown == "" {
				shown = "`/" + path + "`"
			}
			return strings.TrimSpace(shown + " " + strings.Join(words[n:], " "))
		}
		return found
	})
}

// commandMention returns a command that can be pressed; it is empty if Discord does not know the command.
func (t Translator) commandMention(path string) string {
	english := pathOf(t.Language, path)
	name, _, _ := strings.Cut(english, " ")
	if id := t.commands[name]; id != "" {
		return "</" + english + ":" + id + ">"
	}
	return ""
}

// commandPaths has a map for each language (*msg.Language), from its paths of commands to the English ones.
var commandPaths sync.Map

// pathOf returns the English path of a command. Discord shows a mention in its reader's own language, and
// knows the command by its English name.
func pathOf(l *msg.Language, path string) string {
	paths, ok := commandPaths.Load(l)
	if !ok {
		paths, _ = commandPaths.LoadOrStore(l, englishPaths(l))
	}
	return paths.(map[string]string)[path]
}

func englishPaths(l *msg.Language) map[string]string {
	paths := map[string]string{}
	for path := range msg.Languages[0].Commands {
		words := strings.Fields(path)
		own := make([]string, len(words))
		for i := range words {
			own[i] = cmp.Or(l.Commands[strings.Join(words[:i+1], " ")].Name, words[i])
		}
		paths[strings.Join(own, " ")] = path
	}
	return paths
}
