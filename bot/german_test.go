package bot_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core/text"
)

// wordsOf returns the words of all texts of a language, in lower case.
func wordsOf(l *text.Language) map[string]bool {
	words := map[string]bool{}
	add := func(texts ...string) {
		for _, t := range texts {
			for _, word := range word.FindAllString(strings.ToLower(placeInText.ReplaceAllString(t, " ")), -1) {
				words[word] = true
			}
		}
	}
	for _, m := range l.Messages {
		add(m.Variants()...)
	}
	for _, m := range l.Page {
		add(m.Variants()...)
	}
	for _, m := range l.Errors {
		add(m.Variants()...)
	}
	for _, c := range l.Commands {
		add(c.Name, c.Description)
	}
	for _, name := range l.Choices {
		add(name)
	}
	for _, name := range l.Categories {
		add(name)
	}
	return words
}

var (
	word        = regexp.MustCompile(`\pL{2,}`)
	placeInText = regexp.MustCompile(`\{\w+}`)

	// notRead matches the parts of a text that are no words for its reader: mentions, emojis, times and addresses.
	notRead = regexp.MustCompile(`<[^>]*>|https?://[^\s)]*`)
)

// englishIn returns the texts among requests of the bot that have words of its English texts that its German texts do not have, and those
// words. typed are texts that users typed, and names of the game.
func englishIn(t *testing.T, requests []discordtest.Request, typed ...string) (found []string) {
	t.Helper()
	english, german := wordsOf(text.Languages[0]), wordsOf(text.For("de").Language)
	slices.SortFunc(typed, func(a, b string) int { return len(b) - len(a) })
	seen := map[string]bool{}
	texts := 0
	var walk func(key string, value any)
	walk = func(key string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for inner, value := range v {
				if inner != "emoji" {
					walk(inner, value)
				}
			}
		case []any:
			for _, one := range v {
				walk(key, one)
			}
		case string:
			if !slices.Contains([]string{"content", "label", "placeholder", "title", "description", "name"}, key) || seen[v] {
				return
			}
			seen[v] = true
			texts++
			read := strings.ReplaceAll(notRead.ReplaceAllString(v, " "), `\`, "")
			for _, one := range typed {
				read = strings.ReplaceAll(read, one, " ")
			}
			var words []string
			for _, word := range word.FindAllString(strings.ToLower(read), -1) {
				if english[word] && !german[word] {
					words = append(words, word)
				}
			}
			if words != nil {
				found = append(found, strings.Join(words, ", ")+": "+v)
			}
		}
	}
	for _, r := range requests {
		var body any
		if strings.Contains(r.Path, "/commands") || strings.Contains(r.Path, "/emojis") || json.Unmarshal(r.Body, &body) != nil {
			continue
		}
		walk("", body)
	}
	if texts == 0 {
		t.Error("the bot has sent no texts")
	}
	return found
}
