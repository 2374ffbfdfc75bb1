package bot_test

import (
	"maps"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/text"
)

func TestTheBotWritesToUsersInTheLanguageOfTheirAccount(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	chooses := func(language string) {
		t.Helper()
		if err := w.market.People.SetLanguage(t.Context(), w.actor("maple"), language); err != nil {
			t.Fatal(err)
		}
	}
	maple := w.Player(t, "maple") // whose Discord is in English
	chooses("de")
	w.offer("rowan.ashdown", order, 20)
	dm := maple.NextDM()
	wants(t, "the message", dm, "Du hast ein neues Angebot")
	wants(t, "the message after a button", dm.Button("Alle 20 annehmen").Press().View, "angenommen")
	wants(t, "the answer to a command", maple.Slash("request mine").View, "Meine Gesuche")

	chooses("")
	w.offer("juniper_fox", order, 9)
	wants(t, "without a choice", maple.NextDM(), "You have a new offer")
	maple.SetLocale("de")
	wants(t, "in German by Discord", maple.Slash("request mine").View, "Meine Gesuche")
	chooses("en")
	wants(t, "the choice, before Discord's language", maple.Slash("request mine").View, "My Requests")
}

func TestTheBotSpeaksOnlyTheLanguagesThatAreOffered(t *testing.T) {
	t.Parallel()
	for offered, tt := range map[string]struct {
		english, german string            // the heading of one's requests, by the language of the client
		names           map[string]string // of /request in other languages than English
		description     string
		descriptions    map[string]string
		choice          string
	}{
		"en": {"My Requests", "My Requests", nil, "Post requests and manage yours", nil, "Newest first"},
		"de": {
			"Meine Gesuche", "Meine Gesuche", map[string]string{"de": "gesuch", "en-US": "gesuch", "en-GB": "gesuch"},
			"Gesuche einstellen und verwalten", nil, "Neueste zuerst",
		},
		"de,en": {
			"My Requests", "Meine Gesuche", map[string]string{"de": "gesuch"},
			"Post requests and manage yours", map[string]string{"de": "Gesuche einstellen und verwalten"}, "Newest first",
		},
	} {
		t.Run(offered, func(t *testing.T) {
			t.Parallel()
			w := open(t, func(o *bot.Options) { o.Languages = text.NewOffered(strings.Split(offered, ",")) })
			var request discordtest.Command
			for _, c := range w.Commands() {
				if c.Name == "request" {
					request = c
				}
			}
			if request.Description != tt.description || !maps.Equal(request.DescriptionLocalizations, tt.descriptions) ||
				!maps.Equal(request.NameLocalizations, tt.names) {
				t.Errorf("/request is %q %v, in other languages %v", request.Description, request.DescriptionLocalizations, request.NameLocalizations)
			}
			for _, o := range request.Options {
				if o.Name == "browse" {
					if sort := o.Options[len(o.Options)-1]; sort.Choices[0].Name != tt.choice {
						t.Errorf("the first choice of %s is %q", sort.Name, sort.Choices[0].Name)
					}
				}
			}
			maple := w.Player(t, "maple")
			w.post("maple")
			wants(t, "a client in English", maple.Slash("request mine").View, tt.english)
			wants(t, "a client in German", maple.SetLocale("de").Slash("request mine").View, tt.german)
			wants(t, "a client in French", maple.SetLocale("fr").Slash("request mine").View, tt.english)
			// An account keeps a choice that is no longer offered.
			maple.SetLocale("en-US")
			if err := w.market.People.SetLanguage(t.Context(), w.actor("maple"), "de"); err != nil {
				t.Fatal(err)
			}
			wants(t, "German by choice", maple.Slash("request mine").View, tt.german)
		})
	}
}

// An account keeps the choice of a language that its market has stopped to offer.
func TestDirectMessagesToReadersOfALanguageThatIsNoLongerOfferedFollowDiscord(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Languages: []string{"en", "de", "fr"}})
	w.bot = w.start(func(o *bot.Options) { o.Languages = text.NewOffered([]string{"en", "de"}) })
	w.WaitForBot(t)
	order := w.post("maple")
	maple := w.Player(t, "maple").SetLocale("de")
	maple.Slash("request mine") // Discord's language is learnt
	w.must(w.market.People.SetLanguage(t.Context(), w.actor("maple"), "fr"))
	w.offer("rowan.ashdown", order, 20)
	wants(t, "the message", maple.NextDM(), "Du hast ein neues Angebot")
	wants(t, "the answer to a command", maple.Slash("request mine").View, "Meine Gesuche")
	w.must(w.market.People.SetLanguage(t.Context(), w.actor("maple"), "en"))
	w.offer("juniper_fox", order, 9)
	maple.FindDM("the message in a language that is offered", holding("You have 2 new offers"))
}
