package discordtest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// page is a user at the page of the stand-in.
type page struct {
	t *testing.T
	d *discordtest.Discord
	p *discordtest.Player
}

func (p page) send(action string, body obj) (int, obj) {
	p.t.Helper()
	if body["player"] == nil {
		body["player"] = p.p.ID()
	}
	data, _ := json.Marshal(body)
	resp, err := http.Post(p.d.URL()+"/_standin/"+action, "application/json", bytes.NewReader(data))
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	var result obj
	if err := json.NewDecoder(resp.Body).Decode(&result); err != nil {
		p.t.Fatalf("%s: %v", action, err)
	}
	return resp.StatusCode, result
}

func (p page) state(channel string) obj {
	p.t.Helper()
	resp, err := http.Get(p.d.URL() + "/_standin/state?player=" + p.p.Username() + "&channel=" + channel)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	var result obj
	if err := json.NewDecoder(resp.Body).Decode(&result); err != nil {
		p.t.Fatal(err)
	}
	return result
}

func TestThePagePlaysATrade(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{
		"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			o := i.ApplicationCommandData().Options[0].Options
			say(fmt.Sprint(o[0].Value, " × ", o[1].Value), discordgo.MessageFlagsEphemeral, row(button("Part", "part")))(s, i)
		},
		"part":  modalOf(discordgo.TextInput{CustomID: "q", Label: "Quantity", Style: discordgo.TextInputShort}),
		"modal": say("sent", 0),
		"complete request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionApplicationCommandAutocompleteResult,
				Data: &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "Iron Ore", Value: "iron"}}}})
		},
	})
	p := page{t, d, d.Player(t, "maple")}
	state := p.state("trading-post")
	if entries := state["commands"].([]any); len(entries) != 3 || entries[0].(obj)["path"] != "request post" || state["connected"] != true {
		t.Errorf("the picker offers %v", entries)
	}
	where := state["channel"]
	_, proposed := p.send("complete", obj{"channel": where, "command": "request post", "option": "item", "typed": "ir", "options": obj{}})
	if choices := proposed["choices"].([]any); len(choices) != 1 || choices[0].(obj)["value"] != "iron" {
		t.Errorf("proposed %v", proposed)
	}
	if status, refused := p.send("command", obj{"channel": where, "command": "request post", "options": obj{"item": "iron", "quantity": "many"}}); status != 422 {
		t.Errorf("a quantity that is no number: %d %v", status, refused)
	}
	p.send("command", obj{"channel": where, "command": "request post", "options": obj{"item": "iron", "quantity": 5, "category": ""}})
	shown := p.state("trading-post")["messages"].([]any)
	message := shown[len(shown)-1].(obj)
	if message["content"] != "iron × 5" || message["private"] != true || message["used"] != "/request post" {
		t.Errorf("the page shows %v", message)
	}
	_, opened := p.send("press", obj{"channel": where, "message": message["id"], "customId": "part"})
	if opened["modal"].(obj)["title"] != "Part of it" {
		t.Errorf("the press opened %v", opened)
	}
	if status, done := p.send("submit", obj{"interaction": opened["interaction"], "fields": obj{"q": "3"}}); status != 200 {
		t.Errorf("sending the modal: %v", done)
	}
	p.send("dismiss", obj{"message": message["id"]})
	if left := p.state("trading-post")["messages"].([]any); len(left) != 1 {
		t.Errorf("left on the screen: %v", left)
	}
	other := page{t, d, d.Player(t, "rowan.ashdown")}
	unread := func() any { return other.state("tavern")["channels"].([]any)[0].(obj)["unread"] }
	if n := unread(); n != 1.0 {
		t.Errorf("another player has %v unread", n)
	}
	other.send("read", obj{"channel": where, "message": other.state("trading-post")["channels"].([]any)[0].(obj)["last"]})
	if n := unread(); n != 0.0 {
		t.Errorf("after reading, %v unread", n)
	}
}

func TestThePageSpeaksThePlayersLanguage(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	if _, err := register(d.Session(t), d, "", []any{obj{"name": "request", "description": "Ask", "name_localizations": obj{"de": "anfrage"},
		"description_localizations": obj{"de": "Frag"}}}); err != nil {
		t.Fatal(err)
	}
	p := page{t, d, d.Player(t, "maple")}
	p.send("settings", obj{"channel": "dm", "locale": "de", "dmsClosed": true})
	entry := p.state("dm")["commands"].([]any)[0].(obj)
	if entry["label"] != "anfrage" || entry["description"] != "Frag" || entry["path"] != "request" {
		t.Errorf("the picker offers %v", entry)
	}
}

func TestABotThatDoesNotAnswerIsNamedOnThePage(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{"/request": func(*discordgo.Session, *discordgo.InteractionCreate) { d.Advance(4 * time.Second) }})
	p := page{t, d, d.Player(t, "maple")}
	if status, got := p.send("command", obj{"channel": "dm", "command": "request mine"}); status != 422 || got["error"] != "The application did not respond" {
		t.Errorf("the page says %v", got)
	}
}

func TestThePageReceivesChanges(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	resp, err := http.Get(d.URL() + "/_standin/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	next := func() string {
		for lines.Scan() {
			if lines.Text() != "" && !strings.HasPrefix(lines.Text(), "data") {
				return lines.Text()
			}
		}
		return "nothing"
	}
	if first := next(); first != "event: change" {
		t.Errorf("at first came %q", first)
	}
	d.Player(t, "maple").Say("hello")
	if then := next(); then != "event: change" {
		t.Errorf("then came %q", then)
	}
}

func TestThePageTakesNoOrdersFromOtherSites(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	req, _ := http.NewRequestWithContext(t.Context(), "POST", d.URL()+"/_standin/say", strings.NewReader(`{}`))
	req.Header.Set("Origin", "https://evil.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 403 {
		t.Errorf("answered %d", resp.StatusCode)
	}
}

func TestThePageAndItsParts(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	for path, want := range map[string]string{"/": "Discord stand-in", "/_standin/app.js": "EventSource", "/_standin/app.css": "--accent"} {
		resp, err := http.Get(d.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 200 || !strings.Contains(string(body), want) || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "script-src 'self'") {
			t.Errorf("%s: %d, %v", path, resp.StatusCode, resp.Header)
		}
	}
}

func TestARestartKeepsEverything(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "demo", "discord.json")
	options := discordtest.Options{StatePath: file, RedirectURIs: []string{callback}}
	first, err := discordtest.Serve(options)
	if err != nil {
		t.Fatal(err)
	}
	s := bot(t, first, map[string]handler{"/request": say("asked", 0, row(button("Go", "go")))})
	maple := first.Player(t, "maple").SetLocale("de")
	answer := maple.Slash("request mine")
	if _, err := s.ChannelMessageSend(dm(t, s, maple), "a notice"); err != nil {
		t.Fatal(err)
	}
	commandID := first.Commands()[0].ID
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	again := discordtest.New(t, options)
	if again.Commands()[0].ID != commandID {
		t.Errorf("commands: %+v", again.Commands())
	}
	bot(t, again, map[string]handler{"go": func(s *discordgo.Session, i *discordgo.InteractionCreate) { say("in "+string(i.Locale), 0)(s, i) }})
	maple = again.Player(t, "maple")
	if dms := maple.DMs(); len(dms) != 1 || dms[0].Content != "a notice" {
		t.Errorf("direct messages: %v", dms)
	}
	card := maple.Messages()[0]
	if card.ID != answer.ID || card.Content != "asked" {
		t.Fatalf("the channel has %+v", card.Message)
	}
	if pressed := card.Button("Go").Press(); pressed.Content != "in de" {
		t.Errorf("a button from before: %q", pressed.Content)
	}
}

func TestStateThatIsSavedWhileRunning(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "discord.json")
	d := discordtest.New(t, discordtest.Options{StatePath: file})
	d.Player(t, "maple").Say("hello")
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	other := discordtest.New(t, discordtest.Options{StatePath: file})
	if all := other.Player(t, "rowan.ashdown").Messages(); len(all) != 1 || all[0].Content != "hello" {
		t.Errorf("saved: %v", all)
	}
}

func TestAPlayerCanBeAddedOnThePage(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	p := page{t, d, d.Player(t, "maple")}
	for _, bad := range []obj{
		{"username": "x"}, {"username": "Bramble"}, {"username": "a b"}, {"username": "a..b"}, {"username": "maple"},
		{"username": "bramble", "name": strings.Repeat("b", 33)},
	} {
		if status, answer := p.send("join", bad); status != http.StatusUnprocessableEntity || answer["error"] == "" {
			t.Errorf("%v was answered with %d %v", bad, status, answer)
		}
	}
	if status, answer := p.send("join", obj{"username": "bramble", "name": "Bramble"}); status != http.StatusOK {
		t.Fatalf("adding a player: %d %v", status, answer)
	}
	players := p.state("trading-post")["players"].([]any)
	if last := players[len(players)-1].(obj); last["username"] != "bramble" || last["name"] != "Bramble" {
		t.Errorf("the newest player is %v", last)
	}
}

func TestThePageShowsForumsThreadsAndEmojis(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	forum := d.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner", "Open")
	tags, err := s.Channel(forum.ID())
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.ForumThreadStartComplex(forum.ID(), &discordgo.ThreadStart{Name: "500 × Iron Ore", AppliedTags: []string{tags.AvailableTags[0].ID}}, &discordgo.MessageSend{
		Flags:      discordgo.MessageFlagsIsComponentsV2,
		Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "### Iron Ore for <@" + maple.ID() + ">"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Channel("tavern").StartThread("Ore")
	p := page{t, d, maple}
	state := p.state("requests")
	kinds := map[string]string{}
	for _, c := range state["channels"].([]any) {
		kinds[c.(obj)["name"].(string)] = c.(obj)["kind"].(string)
	}
	for name, want := range map[string]string{"tavern": "text", "requests": "forum", "500 × Iron Ore": "post", "Ore": "thread"} {
		if kinds[name] != want {
			t.Errorf("%s is drawn as %q, want %q", name, kinds[name], want)
		}
	}
	if _, err := s.ChannelEdit(made.ID, &discordgo.ChannelEdit{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	posts := p.state("requests")["posts"].([]any)
	if len(posts) != 1 {
		t.Fatalf("the forum has %v", posts)
	}
	post := posts[0].(obj)
	if post["name"] != "500 × Iron Ore" || post["first"] != "Iron Ore for @Maple" || fmt.Sprint(post["tags"]) != "[Miner]" || post["archived"] != true {
		t.Errorf("the post is %v", post)
	}
	if len(p.state(made.ID)["messages"].([]any)) != 1 {
		t.Error("an archived post cannot be looked at")
	}
	emoji, err := s.ApplicationEmojiCreate(d.ClientID(), &discordgo.EmojiParams{Name: "gold", Image: dataURI(drawing(t))})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(d.URL() + "/_standin/emojis/" + emoji.ID + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if data, _ := io.ReadAll(resp.Body); resp.Header.Get("Content-Type") != "image/png" || !bytes.Equal(data, drawing(t)) {
		t.Errorf("the emoji is %s, %d bytes", resp.Header.Get("Content-Type"), len(data))
	}
}
