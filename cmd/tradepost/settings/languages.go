package settings

import (
	"slices"
	"strings"

	"tradepost/core/text"
)

// LanguageList has the languages that the market is offered in.
type LanguageList struct {
	Languages []string `env:"LANGUAGES" default:"en,de" sep:"," help:"Languages of the page and the bot, separated by commas: en and de, your own first. Readers get the one that their browser or Discord is in, and can choose another, which the bot then writes to them in as well. Browsers that ask for none of them get the first, as link previews and their pictures do; Discord clients get English if it is one of them."`
}

// Offered returns the languages as IETF tags.
func (l LanguageList) Offered() []string { return Trimmed(l.Languages) }

// Wrong returns the errors in the settings.
func (l LanguageList) Wrong() (wrong WrongSettings) {
	offered := l.Offered()
	for _, language := range offered {
		if !slices.Contains(text.Names(), language) {
			wrong.Add("LANGUAGES", "%q is no language of Tradepost: want some of %s, separated by commas",
				language, strings.Join(text.Names(), ", "))
		}
	}
	return wrong
}
