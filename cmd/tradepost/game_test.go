package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// gameOfTheDocuments writes the example of docs/operations.md into a file.
func gameOfTheDocuments(t *testing.T, dir string) (path string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("docs/operations.md has %d examples in JSON, want the game", len(blocks))
	}
	path = filepath.Join(dir, "game.json")
	if err := os.WriteFile(path, blocks[0][1], 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reader is a browser session.
type reader struct {
	*http.Client
	t     *testing.T
	board string
}

// signIn comes back from the stand-in's consent page as a player.
func signIn(t *testing.T, board, player string) *reader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{&http.Client{Jar: jar}, t, board}
	consent, err := r.Get(board + "/auth/discord")
	if err != nil {
		t.Fatal(err)
	}
	_ = consent.Body.Close()
	back, err := r.PostForm(consent.Request.URL.String(), url.Values{"player": {player}})
	if err != nil {
		t.Fatal(err)
	}
	_ = back.Body.Close()
	if !strings.HasPrefix(back.Request.URL.String(), board) {
		t.Fatalf("signing in ends at %s", back.Request.URL)
	}
	return r
}

// send sends a body and returns the status and the answer.
func (r *reader) send(method, path string, body map[string]any) (int, string) {
	r.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		r.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.board+path, bytes.NewReader(data))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := r.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestACommunityPlaysAnotherGame(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	path, dsn, address := gameOfTheDocuments(t, h.dir), pgtest.New(t), freeAddress(t)
	board := "http://" + address
	h.discord.AllowRedirect(board + "/auth/discord/callback")
	maple := h.discord.Player(t, "maple")
	old := postedBefore(t, dsn, maple)

	m := h.serve("--listen", address, "--public-url", board, "--database-url", dsn, "--game", path, "--discord-token", h.discord.Token(),
		"--discord-client-id", h.discord.ClientID(), "--discord-client-secret", h.discord.ClientSecret())
	waitFor(t, board+"/readyz")
	h.discord.WaitForBot(t)
	reader := signIn(t, board, maple.ID())

	// The API takes its professions, and no others; what it says of amounts is in its coins.
	draft := map[string]any{"itemName": "Yew Bow", "quantity": 2, "maxPricePerUnit": 350, "buyerContact": "maple", "category": "Bow Maker"}
	status, answer := reader.send("POST", "/api/orders", draft)
	if status != http.StatusCreated {
		t.Fatalf("a request of a profession of the game: %d %s", status, answer)
	}
	var posted struct{ ID int }
	if err := json.Unmarshal([]byte(answer), &posted); err != nil {
		t.Fatal(err)
	}
	draft["category"], draft["maxPricePerUnit"] = "Miner", 1_000_000_000_000
	status, answer = reader.send("POST", "/api/orders", draft)
	if status != http.StatusUnprocessableEntity {
		t.Errorf("a profession of another game: %d %s", status, answer)
	}
	says(t, answer, `"errors":{"category":"Choose one of the 3 categories","maxPricePerUnit":"Max price must be 9999999999k 99d or less"}`)
	says(t, get(t, board+"/api/openapi.json"), `"Bow Maker",`, `"Pearl Diver when left out"`)
	says(t, get(t, board+"/api/orders?category=Bow%20Maker"), `"itemName":"Yew Bow"`)

	// The page shows it, and so does the preview of its link.
	says(t, get(t, board+"/"), `<meta name="game" content="{&#34;professions&#34;:[{&#34;name&#34;:&#34;Bow Maker&#34;,&#34;icon&#34;:&#34;swords&#34;}`)
	says(t, get(t, board+"/?category=Bow+Maker"), `href="/api/orders?category=Bow%20Maker"`)
	link := fmt.Sprintf("%s/requests/%d", board, posted.ID)
	says(t, get(t, link), `<meta property="og:description" content="3k 50d each, 2 of 2 left, pays 7k in all" />`)
	get(t, link+"/card.png")

	// What was saved under another game stays until its buyer chooses again.
	says(t, get(t, board+"/api/orders"), `"total":2`, `"itemName":"Iron Ore"`, `"category":"Miner"`)
	says(t, get(t, board+"/api/orders/counts"), `{"all":2,"categories":{"Bow Maker":1,"Pearl Diver":0,"Scribe":0}}`)
	where, edit := fmt.Sprintf("/api/orders/%d", old), map[string]any{"version": 1, "itemName": "Iron Bar"}
	if status, answer := reader.send("PATCH", where, edit); status != http.StatusUnprocessableEntity || !strings.Contains(answer, `"errors":{"category":`) {
		t.Errorf("an edit that leaves the profession of another game: %d %s", status, answer)
	}
	edit["category"] = "Scribe"
	if status, answer := reader.send("PATCH", where, edit); status != http.StatusOK {
		t.Errorf("an edit with a profession of the game: %d %s", status, answer)
	}

	// And so is Discord.
	if choices := choicesOf(t, h.discord, "request", "browse", "category"); strings.Join(choices, ", ") != "Bow Maker, Pearl Diver, Scribe" {
		t.Errorf("/request browse offers %q", choices)
	}
	listed := h.discord.Player(t, "rowan.ashdown").Slash("request browse", discordtest.Str("category", "Bow Maker"))
	says(t, listed.View.Text(), " **3k** ", " 50d ", "Bow Maker")
	wrong := h.discord.Player(t, "rowan.ashdown").SetLocale("de").Slash("request browse", discordtest.Str("min-price", "1p"))
	says(t, wrong.View.Text(), "Ungültiges Format. Schreib: 3k 50d")
	m.end(t)
}

// postedBefore posts a request as a program did that played the game as it comes.
func postedBefore(t *testing.T, dsn string, buyer *discordtest.Player) core.OrderID {
	t.Helper()
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	market := market.New(store, market.Options{Forms: coretest.Forms})
	user, err := market.People.SignIn(t.Context(), people.Profile{DiscordID: buyer.ID(), Username: buyer.Username(), DisplayName: buyer.Username()})
	if err != nil {
		t.Fatal(err)
	}
	order, err := market.Trade.PostOrder(t.Context(), user.Actor(), coretest.OrderDraft())
	if err != nil {
		t.Fatal(err)
	}
	return order.ID
}

// choicesOf are the names that an option of a command proposes.
func choicesOf(t *testing.T, d *discordtest.Discord, command, sub, option string) (names []string) {
	t.Helper()
	for _, c := range d.Commands() {
		for _, s := range c.Options {
			for _, o := range s.Options {
				if c.Name == command && s.Name == sub && o.Name == option {
					for _, choice := range o.Choices {
						names = append(names, choice.Name)
					}
				}
			}
		}
	}
	return names
}

func TestTheDoctorReadsTheGame(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	path := gameOfTheDocuments(t, h.dir)
	out, _ := h.run([]string{"doctor", "--game", path}, "")
	says(t, out, "✓ the game")
	if err := os.WriteFile(path, []byte(`{"professions": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ = h.run([]string{"doctor", "--game", path}, "")
	says(t, out, "GAME: ", "professions: there is none")
}
