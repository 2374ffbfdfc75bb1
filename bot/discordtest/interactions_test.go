package discordtest_test

import (
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func TestAnAnswerIsRememberedAsItWasSent(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := bot(t, d, map[string]handler{"accept": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseUpdateMessage, Data: &discordgo.InteractionResponseData{Content: "Accepted"},
		}); err != nil {
			t.Error(err)
		}
		if _, err := s.ChannelMessageEdit(i.ChannelID, i.Message.ID, "Two offers"); err != nil { // as when another offer comes in
			t.Error(err)
		}
	}})
	maple := d.Player(t, "maple")
	sent, err := s.ChannelMessageSendComplex(dm(t, s, maple), &discordgo.MessageSend{Content: "One offer", Components: []discordgo.MessageComponent{
		discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "Accept", CustomID: "accept"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	message := maple.NextDM()
	press := message.Button("Accept").StartPress()
	message.WaitFor("the edit", func(v *discordtest.View) bool { return v.Content == "Two offers" })
	reply := press.Reply()
	if reply.ID != sent.ID || reply.Content != "Two offers" || len(reply.Said) != 1 || reply.Said[0] != "Accepted" {
		t.Errorf("the message reads %q, answered was %q", reply.Content, reply.Said)
	}
}

func TestASlashCommandReachesTheBotAndItsAnswerReachesThePlayer(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		sub := i.ApplicationCommandData().Options[0]
		if i.Member == nil || i.User != nil || i.Member.User.Username != "maple" || i.Locale != "en-US" {
			t.Errorf("a command in the server carries member %+v, user %+v, locale %q", i.Member, i.User, i.Locale)
		}
		say(sub.Name+": "+sub.Options[0].StringValue(), discordgo.MessageFlagsEphemeral)(s, i)
	}})
	reply := d.Player(t, "maple").Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 500), discordtest.Str("category", "Miner"))
	if reply.Content != "post: Iron Ore" || !reply.Private() {
		t.Errorf("reply = %q, private %v", reply.Content, reply.Private())
	}
	if seen := d.Player(t, "rowan.ashdown").Messages(); len(seen) != 0 {
		t.Errorf("another player sees the private answer: %v", seen)
	}
}

func TestInADirectMessageTheInteractionCarriesAUser(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if i.Member != nil || i.User == nil || i.GuildID != "" || i.Context != discordgo.InteractionContextBotDM {
			t.Errorf("a command in a DM carries member %+v, user %+v, guild %q, context %d", i.Member, i.User, i.GuildID, i.Context)
		}
		say("here", 0)(s, i)
	}})
	if reply := d.Player(t, "maple").InDM().Slash("request mine"); reply.Content != "here" {
		t.Errorf("reply = %q", reply.Content)
	}
}

func TestButtonsUpdateTheirMessageOrSendANewOne(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{
		"/request": say("one", 0, row(button("Next", "next"), button("Tell", "tell"))),
		"next": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			if i.Message == nil || i.Message.Content != "one" {
				t.Errorf("the press carries message %+v", i.Message)
			}
			_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage,
				Data: &discordgo.InteractionResponseData{Content: "two", Components: []discordgo.MessageComponent{}}})
		},
		"tell": say("private", discordgo.MessageFlagsEphemeral),
	})
	maple, rowan := d.Player(t, "maple"), d.Player(t, "rowan.ashdown")
	first := maple.Slash("request mine")
	if private := first.Button("Tell").PressAs(rowan); private.Content != "private" || private.Updated() || private.ID == first.ID {
		t.Errorf("Tell answered %+v", private.View)
	}
	if next := first.Button("Next").Press(); next.Content != "two" || !next.Updated() || next.ID != first.ID || len(next.Components) != 0 {
		t.Errorf("Next answered %+v", next.View)
	}
	if now := first.Now(); now.Content != "two" || now.EditedTimestamp == nil {
		t.Errorf("the message is now %+v", now.Message)
	}
}

func TestADeferredAnswerIsWaitedFor(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	deferred, edited := make(chan struct{}), make(chan error, 1)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral}})
		<-deferred
		content := "done"
		_, err := s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &content})
		edited <- err
	}})
	pending := d.Player(t, "maple").StartSlash("request mine")
	if kind := pending.WaitAnswered(); kind != discordtest.AnswerDeferred {
		t.Errorf("first answer is of kind %d", kind)
	}
	close(deferred)
	if reply := pending.Reply(); reply.Content != "done" || !reply.Private() || !reply.Deferred || reply.Loading() {
		t.Errorf("reply = %+v", reply.View)
	}
	if err := <-edited; err != nil {
		t.Errorf("edit the answer: %v", err)
	}
}

func TestAnAnswerAfterThreeSecondsIsTooLate(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	got := make(chan error, 1)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		d.Advance(3*time.Second + time.Millisecond)
		got <- s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource})
	}})
	d.Player(t, "maple").StartSlash("request mine")
	if err := <-got; code(err) != 10062 {
		t.Errorf("a late answer gave %v", err)
	}
}

func TestABotThatWaitsForThreeSecondsIsTooLate(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	got, late := make(chan error, 1), make(chan struct{})
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		<-late
		got <- s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource})
	}})
	began := d.Now()
	d.Player(t, "maple").StartSlash("request mine").WaitLate()
	if waited := d.Now().Sub(began); waited < 3*time.Second {
		t.Errorf("it is too late after %s", waited)
	}
	close(late)
	if err := <-got; code(err) != 10062 {
		t.Errorf("a late answer gave %v", err)
	}
}

func TestASecondAnswerIsRefused(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	got := make(chan error, 1)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		say("first", 0)(s, i)
		got <- s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "second"}})
	}})
	d.Player(t, "maple").Slash("request mine")
	if err := <-got; code(err) != 40060 {
		t.Errorf("a second answer gave %v", err)
	}
}
