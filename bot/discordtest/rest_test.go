package discordtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// Each answer is compared with Discord's description by the stand-in itself, in every test.
func TestABotReadsUsersServersAndApplications(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	const server = "1284551102903992320"
	for path, want := range map[string]string{
		"users/@me":                                   `"username":"Tradepost"`,
		"users/@me/guilds":                            `"name":"Harbourlight"`,
		"users/" + maple.ID():                         `"global_name":"Maple"`,
		"gateway":                                     `"url":"ws://127.0.0.1:`,
		"gateway/bot":                                 `"total":1000`,
		"applications/@me":                            `"verify_key"`,
		"oauth2/applications/@me":                     `"owner"`,
		"guilds/" + server:                            `"owner_id":"` + maple.ID() + `"`,
		"guilds/" + server + "/channels":              `"name":"trading-post"`,
		"guilds/" + server + "/roles":                 `"name":"@everyone"`,
		"guilds/" + server + "/members/" + maple.ID(): `"joined_at"`,
		"channels/" + d.Channel("tavern").ID():        `"topic"`,
	} {
		body, err := s.Request("GET", discordgo.EndpointAPI+path, nil)
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s, %v", path, body, err)
		}
	}
	for path, want := range map[string]int{
		"users/1":                         10013,
		"guilds/1":                        10004,
		"guilds/" + server + "/members/1": 10013,
		"channels/1":                      10003,
		"webhooks/1/x/messages/@original": 10015,
		"webhooks/" + d.ClientID() + "/x/messages/@original": 50027,
	} {
		if _, err := s.Request("GET", discordgo.EndpointAPI+path, nil); code(err) != want {
			t.Errorf("%s: %v, want %d", path, err, want)
		}
	}
	d.Player(t, "rowan.ashdown").LeaveServer()
	if _, err := s.GuildMember(server, d.Player(t, "rowan.ashdown").ID()); code(err) != 10007 {
		t.Errorf("a user who has left: %v", err)
	}
}

func TestReadingAChannelInPages(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	tavern := d.Player(t, "rowan.ashdown").In("tavern")
	for _, text := range []string{"one", "two", "three"} {
		tavern.Say(text)
	}
	id := d.Channel("tavern").ID()
	all, err := s.ChannelMessages(id, 2, "", "", "")
	if err != nil || len(all) != 2 || all[0].Content != "three" {
		t.Fatalf("the newest two: %+v, %v", all, err)
	}
	older, err := s.ChannelMessages(id, 50, all[1].ID, "", "")
	if err != nil || len(older) != 1 || older[0].Content != "one" {
		t.Errorf("before those: %+v, %v", older, err)
	}
	newer, err := s.ChannelMessages(id, 1, "", older[0].ID, "")
	if err != nil || len(newer) != 1 || newer[0].Content != "two" {
		t.Errorf("after the first: %+v, %v", newer, err)
	}
	if err := s.ChannelMessageDelete(id, all[0].ID); code(err) != 50013 {
		t.Errorf("deleting another's message: %v", err)
	}
	if _, err := s.ChannelMessageEdit(id, all[0].ID, "x"); code(err) != 50005 {
		t.Errorf("editing another's message: %v", err)
	}
}

func TestRequestsThatDiscordTurnsAway(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	bot := map[string]string{"User-Agent": "DiscordBot (https://example.com, 1)", "Authorization": "Bot " + d.Token()}
	for name, tt := range map[string]struct {
		method, path string
		header       map[string]string
		body         string
		status       int
		want         string
	}{
		"without a user agent":     {"GET", "/api/v10/users/@me", map[string]string{"User-Agent": ""}, "", 403, "Cloudflare"},
		"with another user agent":  {"GET", "/api/v10/users/@me", map[string]string{"User-Agent": "curl/8"}, "", 403, "Cloudflare"},
		"without a version":        {"GET", "/api/users/@me", nil, "", 400, "Invalid API version"},
		"with an old version":      {"GET", "/api/v8/users/@me", nil, "", 400, "Invalid API version"},
		"an unknown path":          {"GET", "/api/v10/nowhere", nil, "", 404, "404: Not Found"},
		"an unknown method":        {"PATCH", "/api/v10/gateway", nil, "", 405, "405: Method Not Allowed"},
		"a part not played":        {"GET", "/api/v10/voice/regions", nil, "", 404, "404: Not Found"},
		"without a token":          {"GET", "/api/v10/users/@me", map[string]string{"Authorization": ""}, "", 401, "401: Unauthorized"},
		"with another token":       {"GET", "/api/v10/users/@me", map[string]string{"Authorization": "Bot x"}, "", 401, "401: Unauthorized"},
		"broken JSON":              {"POST", "/api/v10/users/@me/channels", nil, `{"recipient_id":`, 400, "invalid JSON"},
		"an id that is none":       {"GET", "/api/v10/channels/tavern", nil, "", 400, "channel_id"},
		"an unknown query":         {"GET", "/api/v10/gateway?fast=true", nil, "", 400, "fast"},
		"a query out of bounds":    {"GET", "/api/v10/channels/" + d.Channel("tavern").ID() + "/messages?limit=101", nil, "", 400, "limit"},
		"a body where none is due": {"GET", "/api/v10/gateway", nil, "{}", 400, "no JSON body"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, "https://discord.com"+tt.path, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			for _, headers := range []map[string]string{bot, tt.header} {
				for key, value := range headers {
					req.Header.Set(key, value)
				}
			}
			if tt.body != "" {
				req.Header.Set("Content-Type", "application/json")
			}
			resp, err := d.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("answered %d %s", resp.StatusCode, body)
			}
		})
	}
	// Being turned away for the token is no fault of the request's form; the rest is.
	if n := len(d.Violations()); n != 12 {
		t.Errorf("%d violations: %v", n, d.Violations())
	}
}

func TestAForeignHostIsNotReached(t *testing.T) {
	t.Parallel()
	if _, err := discordtest.New(t).Client().Get("https://example.com/"); err == nil || !strings.Contains(err.Error(), "not Discord") {
		t.Errorf("gave %v", err)
	}
}

func TestManyPlayersAtOnce(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{"/request": say("here", discordgo.MessageFlagsEphemeral, row(button("Go", "go"))), "go": say("there", 0)})
	done := make(chan string)
	const players, rounds = 8, 5
	for i := range players {
		p := d.NewPlayer(t, "player"+string(rune('a'+i)))
		go func() {
			last := ""
			for range rounds {
				last = p.Slash("request mine").Button("Go").Press().Content
			}
			done <- last
		}()
	}
	for range players {
		if got := <-done; got != "there" {
			t.Errorf("a player ended with %q", got)
		}
	}
	if n := len(d.Requests("POST /interactions/{interaction_id}/{interaction_token}/callback")); n != 2*players*rounds {
		t.Errorf("%d answers", n)
	}
}
