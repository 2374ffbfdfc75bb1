package discordtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// dm opens the direct messages of a user.
func dm(t *testing.T, s *discordgo.Session, p *discordtest.Player) string {
	t.Helper()
	c, err := s.UserChannelCreate(p.ID())
	if err != nil {
		t.Fatalf("open a DM: %v", err)
	}
	return c.ID
}

// post sends a body of the test's own, as a bot does that needs more than discordgo's types have.
func post(s *discordgo.Session, channel string, body any) (*discordgo.Message, error) {
	url := discordgo.EndpointChannelMessages(channel)
	data, err := s.RequestWithBucketID("POST", url, body, url)
	if err != nil {
		return nil, err
	}
	var m discordgo.Message
	return &m, json.Unmarshal(data, &m)
}

func TestADirectMessageArrives(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	first, again := dm(t, s, maple), dm(t, s, maple)
	if first != again {
		t.Errorf("opening the DM twice gave %s and %s", first, again)
	}
	sent, err := s.ChannelMessageSendComplex(first, &discordgo.MessageSend{Content: "  An offer  ",
		Components:      []discordgo.MessageComponent{row(button("Accept", "a"), discordgo.Button{Label: "Web", Style: discordgo.LinkButton, URL: "https://example.com/1"})},
		AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}})
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	got := maple.NextDM()
	if got.ID != sent.ID || got.Content != "An offer" || fmt.Sprint(got.Buttons()) != "[Accept Web]" {
		t.Errorf("got %q with %v", got.Content, got.Buttons())
	}
	if others := d.Player(t, "rowan.ashdown").InDM().Messages(); len(others) != 0 {
		t.Errorf("another player reads it too: %v", others)
	}
	content := "Two offers"
	if _, err := s.ChannelMessageEditComplex(&discordgo.MessageEdit{Channel: first, ID: sent.ID, Content: &content}); err != nil {
		t.Fatalf("edit: %v", err)
	}
	if now := got.WaitEdit(); now.Content != "Two offers" || now.EditedTimestamp == nil || len(now.Buttons()) != 2 {
		t.Errorf("after the edit: %q with %v", now.Content, now.Buttons())
	}
	if err := s.ChannelMessageDelete(first, sent.ID); err != nil {
		t.Fatalf("delete: %v", err)
	}
	if left := maple.DMs(); len(left) != 0 {
		t.Errorf("after the delete there is %v", left)
	}
	if _, err := s.ChannelMessage(first, sent.ID); code(err) != 10008 {
		t.Errorf("reading a deleted message: %v", err)
	}
}

func TestTheSameNonceGivesTheFirstMessageBack(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	channel := dm(t, s, maple)
	body := map[string]any{"content": "once", "nonce": "notice-1", "enforce_nonce": true}
	first, err := post(s, channel, body)
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	second, err := post(s, channel, body)
	if err != nil || second.ID != first.ID || len(maple.DMs()) != 1 {
		t.Errorf("the repeat gave %v, %v; the player has %d messages", second, err, len(maple.DMs()))
	}
	if _, err := post(s, channel, map[string]any{"content": "free", "nonce": "notice-1"}); err != nil || len(maple.DMs()) != 2 {
		t.Errorf("a nonce that is not enforced: %v; %d messages", err, len(maple.DMs()))
	}
	d.Advance(6 * time.Minute)
	if later, err := post(s, channel, body); err != nil || later.ID == first.ID {
		t.Errorf("minutes later the repeat gave %v, %v", later, err)
	}
	if err := s.ChannelMessageDelete(channel, maple.DMs()[2].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := post(s, channel, body); code(err) != 10008 {
		t.Errorf("the repeat of a deleted message gave %v", err)
	}
}

func TestMentionsThatPing(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	channel := dm(t, s, maple)
	text := "<@" + maple.ID() + "> @everyone `@here <@1>`"
	for name, tt := range map[string]struct {
		allowed any
		users   int
		all     bool
	}{
		"left out":             {nil, 1, true},
		"no mentions":          {map[string]any{"parse": []string{}}, 0, false},
		"people":               {map[string]any{"parse": []string{"users"}}, 1, false},
		"one person by list":   {map[string]any{"parse": []string{}, "users": []string{maple.ID()}}, 1, false},
		"another one by list":  {map[string]any{"users": []string{"1"}}, 0, false},
		"everybody by keyword": {map[string]any{"parse": []string{"everyone"}}, 0, true},
	} {
		body := map[string]any{"content": text}
		if tt.allowed != nil {
			body["allowed_mentions"] = tt.allowed
		}
		m, err := post(s, channel, body)
		if err != nil || len(m.Mentions) != tt.users || m.MentionEveryone != tt.all {
			t.Errorf("%s: pings %v, everybody %v, error %v", name, m.Mentions, m.MentionEveryone, err)
		}
	}
}

func TestWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	channel := dm(t, s, maple)
	board, err := s.Channel(d.Channel("request-board").ID())
	if err != nil || board.Name != "request-board" {
		t.Fatalf("read a channel: %v, %v", board, err)
	}
	try := func(what, channel string, want int) {
		t.Helper()
		if _, err := s.ChannelMessageSend(channel, "hello"); code(err) != want {
			t.Errorf("%s: %v, want code %d", what, err, want)
		}
	}
	try("an open DM", channel, 0)
	maple.CloseDMs()
	try("a closed DM", channel, 50007)
	maple.OpenDMs().LeaveServer()
	try("no server in common", channel, 50278)
	maple.JoinServer()
	try("back again", channel, 0)
	d.Channel("request-board").Mute()
	try("a channel to read only", board.ID, 50013)
	d.Channel("request-board").Hide()
	try("a hidden channel", board.ID, 50001)
	d.Channel("request-board").Delete()
	try("a channel that is gone", board.ID, 10003)
	try("a channel that never was", "1", 10003)
}

func TestALostAnswerAndTheRetryWithItsNonce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() *discordtest.Fault{"lost": discordtest.Losing, "cut in half": discordtest.Cutting} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := discordtest.New(t)
			s, maple := d.Session(t), d.Player(t, "maple")
			channel := dm(t, s, maple)
			f := d.Fail("POST /channels/*/messages", 1, fault())
			body := map[string]any{"content": "once", "nonce": "n", "enforce_nonce": true}
			if _, err := post(s, channel, body); err == nil {
				t.Fatal("the answer arrived whole")
			}
			if _, err := post(s, channel, body); err != nil || len(maple.DMs()) != 1 || f.Hits() != 1 {
				t.Errorf("the retry: %v; %d messages, %d hits", err, len(maple.DMs()), f.Hits())
			}
		})
	}
}

func TestFaultsByScript(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	s.ShouldRetryOnRateLimit, s.MaxRestRetries = false, 0
	channel := dm(t, s, maple)
	send := func() error { _, err := s.ChannelMessageSend(channel, "hello"); return err }
	// discordgo's own limiter would sleep through what the headers say; the bot does without it too.
	s.Ratelimiter = discordgo.NewRatelimiter()

	d.Fail("POST /channels/{channel_id}/messages", 2, discordtest.Outage(503))
	for range 2 {
		if err := send(); err == nil || !strings.Contains(err.Error(), "503") {
			t.Errorf("an outage gave %v", err)
		}
	}
	d.Fail("POST /users/@me/channels", 1, discordtest.RefusingWith(40003))
	if _, err := s.UserChannelCreate(maple.ID()); code(err) != 40003 {
		t.Errorf("opening DMs too fast gave %v", err)
	}
	d.Fail("POST /channels/"+channel+"/messages", 1, discordtest.RateLimiting(10*time.Millisecond, "shared"))
	var limited *discordgo.RateLimitError
	if err := send(); !asRateLimit(err, &limited) || limited.RetryAfter != 10*time.Millisecond || d.InvalidRequests() != 1 {
		t.Errorf("a shared limit gave %v; %d count towards the ban", err, d.InvalidRequests())
	}
	d.Fail("POST /channels/*/messages", 1, discordtest.Banning(time.Hour))
	if err := send(); err == nil || strings.Contains(err.Error(), "HTTP 429") {
		t.Errorf("a page instead of JSON gave %v", err)
	}
	if err := send(); err != nil || len(maple.DMs()) != 1 {
		t.Errorf("after all faults: %v, %d messages", err, len(maple.DMs()))
	}
	hang := d.Fail("* /**", discordtest.Always, discordtest.Hanging())
	failed := make(chan error)
	go func() { failed <- send() }()
	hang.WaitHits(t, 1)
	hang.Lift()
	if err := <-failed; err == nil {
		t.Error("a request that hung got an answer")
	}
	if err := send(); err != nil {
		t.Errorf("after the hang: %v", err)
	}
}

func asRateLimit(err error, into **discordgo.RateLimitError) bool {
	return errors.As(err, into)
}

func TestRateLimitsAreSentAndEnforced(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple")
	s.ShouldRetryOnRateLimit = false
	channel := dm(t, s, maple)
	d.SetLimit("POST /channels/{channel_id}/messages", 2, time.Hour)
	url := discordgo.EndpointChannelMessages(channel)
	var last error
	for i := range 3 {
		// A bucket of its own each time keeps discordgo from waiting.
		_, last = s.RequestWithBucketID("POST", url, map[string]string{"content": "x"}, fmt.Sprint("own-", i))
	}
	if !asRateLimit(last, new(*discordgo.RateLimitError)) || len(maple.DMs()) != 2 {
		t.Errorf("the third gave %v; %d arrived", last, len(maple.DMs()))
	}
	d.SetLimit("POST /channels/{channel_id}/messages", 2, 50*time.Millisecond)
	d.Advance(2 * time.Hour)
	for range 4 {
		if _, err := s.RequestWithBucketID("POST", url, map[string]string{"content": "y"}, "patient"); err != nil {
			t.Errorf("a client that obeys the headers gave %v", err)
		}
	}
}

func TestTooManyInvalidRequestsBanTheAddress(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, maple := d.Session(t), d.Player(t, "maple").CloseDMs()
	channel := dm(t, s, maple)
	d.BanFrom(3)
	for range 3 {
		if _, err := post(s, channel, map[string]any{"content": "x"}); code(err) != 50007 {
			t.Fatalf("a closed DM: %v", err)
		}
	}
	if _, err := post(s, channel, map[string]any{"content": "x"}); err == nil || !strings.Contains(err.Error(), "invalid character '<'") {
		t.Errorf("banned: %v", err)
	}
	d.Advance(11 * time.Minute)
	if _, err := post(s, channel, map[string]any{"content": "x"}); code(err) != 50007 {
		t.Errorf("after the ban: %v", err)
	}
}
