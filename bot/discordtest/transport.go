package discordtest

import (
	"fmt"
	"net/http"

	"github.com/bwmarrin/discordgo"
)

// transport sends what is meant for Discord to the stand-in and refuses everything else: a test that
// reaches for the wide world is wrong.
type transport struct {
	addr string
	base *http.Transport
}

func newTransport(addr string) *transport {
	return &transport{addr: addr, base: &http.Transport{MaxIdleConnsPerHost: 64}}
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.URL.Host {
	case "discord.com", "canary.discord.com", "ptb.discord.com", t.addr:
	default:
		return nil, fmt.Errorf("discordtest: a request to %s, which is not Discord", r.URL.Host)
	}
	to := r.Clone(r.Context())
	to.URL.Scheme, to.URL.Host, to.Host = "http", t.addr, ""
	return t.base.RoundTrip(to)
}

func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// Transport leads requests for discord.com to the stand-in.
func (d *Discord) Transport() http.RoundTripper { return d.client.Transport }

// Client is an http.Client on Transport.
func (d *Discord) Client() *http.Client { return d.client }

// Token is the bot's token, without the word Bot.
func (d *Discord) Token() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.world.App.Token
}

// Session is an unmodified discordgo session that talks to the stand-in, not opened yet. It keeps no state
// cache and asks for no intents, as a bot that lives on interactions should.
func (d *Discord) Session(t TB) *discordgo.Session {
	t.Helper()
	s, err := discordgo.New("Bot " + d.Token())
	if err != nil {
		t.Fatalf("make a discordgo session: %v", err)
	}
	s.Client = &http.Client{Transport: d.client.Transport, Timeout: s.Client.Timeout}
	s.StateEnabled = false
	s.Identify.Intents = discordgo.IntentsNone
	s.ShouldReconnectOnError = false // otherwise it dials the closed stand-in endlessly after the test
	return s
}
