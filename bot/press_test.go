package bot

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
)

func TestAPressSaysTheSameAfterARestart(t *testing.T) {
	p := discord.NewCustomID("accept", core.OfferID(70), 20, deliveryView(9))
	if got, want := p.String(), "1|accept|70|20|d9"; got != want {
		t.Errorf("custom_id = %q, want %q: buttons that were sent would stop working", got, want)
	}
	got, ok := discord.ParseCustomID(p.String())
	if !ok || !reflect.DeepEqual(got, p) {
		t.Errorf("parsePress = %+v, %v", got, ok)
	}
}

func TestTheWidestListFitsIntoACustomID(t *testing.T) {
	game := core.StandardGame()
	s := browsing{
		page: maxPages - 1, category: game.Professions[14].Name, sort: core.Sorts[3], importance: core.Importances[3], level: core.MaxLevel,
		minPrice: core.MaxPrice, maxPrice: core.MaxPrice, text: strings.Repeat("ä", maxSearchText),
	}
	id := s.press("category", game).String() + discord.CustomIDSeparator + "back"
	if n := utf8.RuneCountInString(id); n > discord.MaxCustomID {
		t.Errorf("%d characters: %s", n, id)
	}
	p, ok := discord.ParseCustomID(s.press("browse", game).String())
	if got := browsingOf(p, game); !ok || got != s {
		t.Errorf("browsingOf = %+v, want %+v", got, s)
	}
}

func FuzzPress(f *testing.F) {
	game := core.StandardGame()
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
			parseView(p.Word(n))
		}
		s := browsingOf(p, game)
		again, ok := discord.ParseCustomID(s.press("browse", game).String())
		if !ok || browsingOf(again, game) != s {
			t.Fatalf("the list of %q does not come back: %+v", id, s)
		}
	})
}

func TestQuantitiesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{
		"5": 5, " 12 ": 12, "1,000": 1000, "1.000.000": 1000000, "1 000": 1000, "1’000": 1000, "1_000": 1000, "007": 7,
		"": -1, "-5": -1, "+5": -1, "1.5": -1, "1,00": -1, "1,000.5": -1, "five": -1, "٥": -1, "1e3": -1, "99999999999999": -1, ",100": -1,
	} {
		got, ok := parseQuantity(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("parseQuantity(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestHoursAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{"22:00": 1320, "7:05": 425, "22.30": 1350, "0": 0, "23": 1380, "24:00": -1, "7:5": -1, "7:60": -1, "x": -1, "-1": -1, "": -1} {
		got, ok := parseClock(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("parseClock(%q) = %d, want %d", text, got, want)
		}
	}
}

func onServer(m *discordgo.Member) *discord.Interaction {
	return &discord.Interaction{Interaction: discordgo.Interaction{GuildID: "1", Member: m}}
}

func TestOnlyManagersMaySetUpABoard(t *testing.T) {
	for permissions, want := range map[int64]bool{32: true, 8: true, 2147483648: false, 0: false} {
		in := Input{i: onServer(&discordgo.Member{Permissions: permissions})}
		if got := mayManage(in) == nil; got != want {
			t.Errorf("permissions %d may: %v", permissions, got)
		}
	}
	if mayManage(Input{i: &discord.Interaction{Interaction: discordgo.Interaction{User: &discordgo.User{}}}}) == nil {
		t.Error("a board in a direct message")
	}
}
