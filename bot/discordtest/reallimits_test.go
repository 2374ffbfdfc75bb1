package discordtest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// served is a stand-in as the demo has it: with Discord's limits, and a clock of the test's own.
func served(t *testing.T) (*discordtest.Discord, *discordgo.Session) {
	t.Helper()
	began := time.Now()
	d := discordtest.New(t, discordtest.Options{Limits: &discordtest.RealLimits, Now: func() time.Time { return began }})
	s := d.Session(t)
	s.ShouldRetryOnRateLimit = false
	s.Ratelimiter = discordgo.NewRatelimiter()
	return d, s
}

func TestFiveMessagesInFiveSeconds(t *testing.T) {
	t.Parallel()
	d, s := served(t)
	send := func(channel string) error {
		s.Ratelimiter = discordgo.NewRatelimiter() // it would wait by itself
		_, err := s.ChannelMessageSend(channel, "x")
		return err
	}
	tavern, board := d.Channel("tavern").ID(), d.Channel("request-board").ID()
	for i := range 5 {
		if err := send(tavern); err != nil {
			t.Fatalf("message %d: %v", i+1, err)
		}
	}
	var limited *discordgo.RateLimitError
	if err := send(tavern); !errors.As(err, &limited) || limited.RetryAfter != 5*time.Second {
		t.Errorf("the sixth: %v", err)
	}
	if err := send(board); err != nil {
		t.Errorf("another channel: %v", err)
	}
	d.Advance(5 * time.Second)
	if err := send(tavern); err != nil {
		t.Errorf("after five seconds: %v", err)
	}
}

func TestFiftyRequestsASecond(t *testing.T) {
	t.Parallel()
	d, s := served(t)
	var err error
	n := 0
	for ; n < 60 && err == nil; n++ {
		_, err = s.Request("GET", discordgo.EndpointAPI+"users/"+d.Player(t, "maple").ID(), nil)
		s.Ratelimiter = discordgo.NewRatelimiter()
	}
	if n != 51 || !strings.Contains(err.Error(), "retry after 1s") {
		t.Errorf("request %d ended with %v", n, err)
	}
	d.Advance(time.Second)
	if _, err := s.User("@me"); err != nil {
		t.Errorf("a second later: %v", err)
	}
}

func TestFiveSecondsBetweenIdentifies(t *testing.T) {
	t.Parallel()
	d, _ := served(t)
	first := dial(t, d)
	first.read()
	if got := first.identify(d.Token()); got.T != "READY" {
		t.Fatalf("the first is answered by %+v", got)
	}
	second := dial(t, d)
	second.read()
	if got := second.identify(d.Token()); got.Op != 9 {
		t.Errorf("one at once after that by %+v", got)
	}
	d.Advance(5 * time.Second)
	if got := second.identify(d.Token()); got.T != "READY" {
		t.Errorf("one five seconds later by %+v", got)
	}
}
