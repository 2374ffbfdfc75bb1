package browse

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

func TestTheWidestListFitsIntoACustomID(t *testing.T) {
	g := game.Standard()
	s := browsing{
		page: maxPages - 1, category: g.Professions[14].Name, sort: match.Sorts[3], importance: game.Importances[3], level: core.MaxLevel,
		minPrice: core.MaxPrice, maxPrice: core.MaxPrice, text: strings.Repeat("ä", commands.MaxSearchText),
	}
	id := s.press("category", g).String() + discord.CustomIDSeparator + "back"
	if n := utf8.RuneCountInString(id); n > discord.MaxCustomID {
		t.Errorf("%d characters: %s", n, id)
	}
	p, ok := discord.ParseCustomID(s.press("browse", g).String())
	if got := browsingOf(p, g); !ok || got != s {
		t.Errorf("browsingOf = %+v, want %+v", got, s)
	}
}

// The buttons of all filters fill a row: another needs a place of its own.
func TestTheFiltersOfAListFitIntoARow(t *testing.T) {
	s := browsing{text: "ore", importance: game.High, level: 7, minPrice: 1, maxPrice: 2}
	b := Browse{&kernel.Kernel{Drawer: kernel.Drawer{Game: game.Standard()}}}
	tr := kernel.Translator{Printer: msg.For("en-US"), Game: game.Standard()}
	if n := len(b.filterButtons(tr, s)); n != 5 {
		t.Errorf("%d filters have a button: Discord shows 5 in a row", n)
	}
}

func FuzzPress(f *testing.F) {
	game := game.Standard()
	for _, id := range []string{"1|accept|70|20|d9", "1|browse|0|1|2|3|4|5|6|iron ore", "2|x", "1|o|", "1|back|l7.2", "1|edit|7|1|0|"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		p, ok := discord.ParseCustomID(id)
		if !ok {
			return
		}
		if p.String() != id {
			t.Fatalf("parsePress(%q).String() = %q", id, p)
		}
		for n := range 10 {
			if p.Number(n) < 0 {
				t.Fatalf("number %d of %q is negative", n, id)
			}
			kernel.ParseView(p.Word(n))
		}
		s := browsingOf(p, game)
		again, ok := discord.ParseCustomID(s.press("browse", game).String())
		if !ok || browsingOf(again, game) != s {
			t.Fatalf("the list of %q does not come back: %+v", id, s)
		}
	})
}
