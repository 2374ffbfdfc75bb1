package bot_test

import "testing"

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
