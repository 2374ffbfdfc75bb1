package discordtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// listener is a test whose failure is looked at.
type listener struct {
	discordtest.TB
	said string
}

type failed struct{}

func (l *listener) Fatalf(format string, args ...any) {
	l.said = fmt.Sprintf(format, args...)
	panic(failed{})
}

// fails runs something that must fail its test, and gives the reason.
func fails(t *testing.T, what func(discordtest.TB)) (said string) {
	t.Helper()
	l := &listener{TB: t}
	defer func() {
		switch r := recover().(type) {
		case nil:
			t.Error("it was let pass")
		case failed:
			said = l.said
		default:
			panic(r)
		}
	}()
	what(l)
	return ""
}

func TestAClientRefusesImpossibleActions(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := bot(t, d, map[string]handler{
		"/request": say("x", 0, row(button("Go", "go"), discordgo.Button{Label: "Off", CustomID: "off", Disabled: true, Style: discordgo.PrimaryButton}),
			row(discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: "s", Placeholder: "Pick", Options: []discordgo.SelectMenuOption{{Label: "One", Value: "1"}}})),
		"go": modalOf(discordgo.TextInput{CustomID: "q", Label: "Quantity", Style: discordgo.TextInputShort, Required: true, MinLength: 2, MaxLength: 3}),
	})
	maple := func(t discordtest.TB) *discordtest.Player { return d.Player(t, "maple") }
	shown := maple(t).Slash("request mine")
	private := d.Player(t, "rowan.ashdown").InDM().Slash("request mine")
	item, many := discordtest.Str("item", "Ore"), discordtest.Int("quantity", 1)
	for name, tt := range map[string]struct {
		do   func(discordtest.TB)
		want string
	}{
		"an unknown command":         {func(t discordtest.TB) { maple(t).Slash("nothing") }, "no command /nothing"},
		"an unknown subcommand":      {func(t discordtest.TB) { maple(t).Slash("request burn") }, `no subcommand "burn"; it has post, mine`},
		"no subcommand":              {func(t discordtest.TB) { maple(t).Slash("request") }, "needs a subcommand"},
		"a required option left out": {func(t discordtest.TB) { maple(t).Slash("request post", item) }, `needs the option "quantity"`},
		"an unknown option":          {func(t discordtest.TB) { maple(t).Slash("request post", item, many, discordtest.Str("x", "y")) }, `no option "x"`},
		"a number under its bound":   {func(t discordtest.TB) { maple(t).Slash("request post", item, discordtest.Int("quantity", 0)) }, "must be from 1 to"},
		"a number over its bound":    {func(t discordtest.TB) { maple(t).Slash("request post", item, discordtest.Int("quantity", 1_000_001)) }, "must be from 1 to"},
		"a text that is too long":    {func(t discordtest.TB) { maple(t).Slash("request post", discordtest.Str("item", long(101)), many) }, "1 to 100 characters"},
		"an empty text":              {func(t discordtest.TB) { maple(t).Slash("request post", discordtest.Str("item", ""), many) }, "1 to 100 characters"},
		"a text for a number":        {func(t discordtest.TB) { maple(t).Slash("request post", item, discordtest.Str("quantity", "7")) }, "cannot take string"},
		"none of the choices": {func(t discordtest.TB) {
			maple(t).Slash("request post", item, many, discordtest.Str("category", "Wizard"))
		}, "none of its choices"},
		"completing what does not":   {func(t discordtest.TB) { maple(t).Complete("request post", "quantity", "1") }, "does not complete"},
		"a command for managers":     {func(t discordtest.TB) { d.Player(t, "rowan.ashdown").Slash("board") }, "no command /board"},
		"a server command in a DM":   {func(t discordtest.TB) { maple(t).InDM().Slash("board") }, "no command /board"},
		"a button that is not there": {func(t discordtest.TB) { view(t, d).Button("Gone") }, `no button "Gone"`},
		"a button that is disabled":  {func(t discordtest.TB) { view(t, d).Button("Off").Press() }, "is disabled"},
		"nothing from a list":        {func(t discordtest.TB) { view(t, d).List("Pick").Choose() }, "takes 1 to 1 choices, not 0"},
		"what the list has not":      {func(t discordtest.TB) { view(t, d).List("Pick").Choose("Two") }, `has no "Two"`},
		"a field that is too short": {func(t discordtest.TB) {
			view(t, d).Button("Go").Press().Modal.Submit(map[string]string{"Quantity": "1"})
		}, "2 to 3 characters"},
		"a field that is too long": {func(t discordtest.TB) { view(t, d).Button("Go").Press().Modal.Submit(map[string]string{"q": "1234"}) }, "2 to 3 characters"},
		"a field that is not there": {func(t discordtest.TB) {
			view(t, d).Button("Go").Press().Modal.Submit(map[string]string{"Quantity": "12", "x": "y"})
		}, `no field "x"`},
		"another's direct message": {func(t discordtest.TB) { private.Button("Go").PressAs(maple(t)) }, "does not see"},
	} {
		t.Run(name, func(t *testing.T) {
			if said := fails(t, tt.do); !strings.Contains(said, tt.want) {
				t.Errorf("said %q, want %q", said, tt.want)
			}
		})
	}
	if err := s.ChannelMessageDelete(shown.ChannelID, shown.ID); err != nil {
		t.Fatal(err)
	}
	if said := fails(t, func(t discordtest.TB) { shown.Button("Go").PressAs(maple(t)) }); !strings.Contains(said, "does not see") {
		t.Errorf("a button of a deleted message: %q", said)
	}
}

// view is the last message in #trading-post.
func view(t discordtest.TB, d *discordtest.Discord) *discordtest.View {
	all := d.Player(t, "maple").Messages()
	return all[len(all)-1]
}

func modalOf(inputs ...discordgo.TextInput) handler {
	return func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		var rows []discordgo.MessageComponent
		for _, input := range inputs {
			rows = append(rows, row(input))
		}
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseModal,
			Data: &discordgo.InteractionResponseData{CustomID: "m", Title: "Part of it", Components: rows}})
	}
}

func TestForgedInteractionsReachTheBot(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{
		"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			var got []string
			for _, o := range i.ApplicationCommandData().Options[0].Options {
				got = append(got, fmt.Sprint(o.Name, "=", o.Value))
			}
			say(strings.Join(got, " "), 0, row(button("Go", "go")))(s, i)
		},
		"accept:999": say("pressed", 0),
		"go":         modalOf(discordgo.TextInput{CustomID: "q", Label: "Quantity", Style: discordgo.TextInputShort, MaxLength: 3}),
		"modal": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			field := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput)
			say(field.Value, 0)(s, i)
		},
	})
	maple := d.Player(t, "maple")
	reply := maple.ForgeSlash("request post", discordtest.Int("quantity", -5), discordtest.Str("category", "Wizard"), discordtest.Str("x", "y"))
	if reply.Content != "quantity=-5 category=Wizard x=y" {
		t.Errorf("the bot got %q", reply.Content)
	}
	if pressed := maple.ForgePress(reply.View, "accept:999"); pressed.Content != "pressed" {
		t.Errorf("the press gave %q", pressed.Content)
	}
	if sent := reply.Button("Go").Press().Modal.ForgeSubmit(map[string]string{"q": "12345"}); sent.Content != "12345" {
		t.Errorf("the modal gave %q", sent.Content)
	}
}

func TestCompletingAndPicking(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{
		"complete request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			sub := i.ApplicationCommandData().Options[0]
			var typed string
			for _, o := range sub.Options {
				if o.Focused {
					typed = o.StringValue()
				}
			}
			_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionApplicationCommandAutocompleteResult,
				Data: &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{
					{Name: "Iron Ore, 3 open", Value: "7"}, {Name: "you typed " + typed, Value: fmt.Sprint(len(sub.Options))}}}})
		},
		"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			say(i.ApplicationCommandData().Options[0].Options[0].StringValue(), 0)(s, i)
		},
	})
	maple := d.Player(t, "maple")
	got := maple.Complete("request post", "item", "iro", discordtest.Int("quantity", 5))
	if len(got) != 2 || got[1].Name != "you typed iro" || got[1].Value != "2" {
		t.Errorf("proposed %+v", got)
	}
	if reply := maple.Slash("request post", maple.Pick("request post", "item", "Iron"), discordtest.Int("quantity", 1)); reply.Content != "7" {
		t.Errorf("the bot got %q", reply.Content)
	}
}

func TestModalsWithRowsAndTheirMessage(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	bot(t, d, map[string]handler{
		"/request": say("one", 0, row(button("Part", "part"))),
		"part":     modalOf(discordgo.TextInput{CustomID: "q", Label: "Quantity", Style: discordgo.TextInputShort, Value: "200", Required: true}),
		"modal": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			field := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput)
			_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage,
				Data: &discordgo.InteractionResponseData{Content: i.Message.Content + " " + field.Value}})
		},
	})
	part := d.Player(t, "maple").Slash("request mine").Button("Part")
	opened := part.Press()
	if opened.Modal == nil || opened.Modal.Title != "Part of it" || opened.Modal.Field("Quantity").Value != "200" {
		t.Fatalf("the modal is %+v", opened.Modal)
	}
	if done := opened.Modal.Submit(nil); done.Content != "one 200" || !done.Updated() {
		t.Errorf("left as it was: %q", done.Content)
	}
	if said := fails(t, func(l discordtest.TB) { opened.Modal.With(l).Submit(nil) }); !strings.Contains(said, "is closed") {
		t.Errorf("sent again: %q", said)
	}
}

func TestABotThatDoesNotRespondIsReported(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t, discordtest.Options{Patience: 30 * time.Millisecond})
	s := d.Session(t)
	if _, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands()); err != nil {
		t.Fatal(err)
	}
	said := fails(t, func(t discordtest.TB) { d.Player(t, "maple").Slash("request mine") })
	if !strings.Contains(said, "delivered to 0 gateway sessions") {
		t.Errorf("said %q", said)
	}
}

func TestFollowUpsAndDeferredUpdates(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	deferUpdate := func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate})
	}
	bot(t, d, map[string]handler{
		"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			say("first", 0, row(button("Edit", "edit"), button("Drop", "drop")))(s, i)
			_, _ = s.FollowupMessageCreate(i.Interaction, true, &discordgo.WebhookParams{Content: "second", Flags: discordgo.MessageFlagsEphemeral})
		},
		"edit": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			deferUpdate(s, i)
			content := "changed"
			_, _ = s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &content})
		},
		"drop": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
			deferUpdate(s, i)
			_ = s.InteractionResponseDelete(i.Interaction)
		},
	})
	first := d.Player(t, "maple").Slash("request mine")
	if more := first.WaitFollowUps(1); first.Private() || more[0].Content != "second" || !more[0].Private() {
		t.Errorf("then came %+v", more[0].Message)
	}
	if edited := first.Button("Edit").Press(); edited.Content != "changed" || edited.ID != first.ID || !edited.Updated() {
		t.Errorf("edited: %+v", edited.Message)
	}
	if gone := first.Button("Drop").Press(); !gone.Deleted {
		t.Errorf("dropped: %+v", gone.View)
	}
}

func TestTheTokenOfAnInteractionDies(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	arrived := make(chan *discordgo.Interaction, 1)
	s := bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) { arrived <- i.Interaction }})
	d.Player(t, "maple").StartSlash("request mine")
	i := <-arrived
	edit := func() error {
		content := "later"
		_, err := s.InteractionResponseEdit(i, &discordgo.WebhookEdit{Content: &content})
		return err
	}
	if err := edit(); code(err) != 10015 {
		t.Errorf("editing before the answer: %v", err)
	}
	say("now", 0)(s, &discordgo.InteractionCreate{Interaction: i})
	if err := edit(); err != nil {
		t.Errorf("editing afterwards: %v", err)
	}
	d.Advance(15*time.Minute + time.Second)
	if err := edit(); code(err) != 50027 {
		t.Errorf("editing after a quarter of an hour: %v", err)
	}
}

func TestAFollowUpToADeferralIsTakenAndReported(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral}})
		_, _ = s.FollowupMessageCreate(i.Interaction, true, &discordgo.WebhookParams{Content: "there"})
	}})
	reply := d.Player(t, "maple").Slash("request mine")
	if reply.Content != "there" || !reply.Private() || len(reply.FollowUps()) != 0 || len(d.Violations()) != 1 {
		t.Errorf("reply %+v, violations %v", reply.Message, d.Violations())
	}
}

func TestUserInstalledFollowUpsAreCounted(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	got := make(chan error, 6)
	s := bot(t, d, map[string]handler{"/me": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		say("x", discordgo.MessageFlagsEphemeral)(s, i)
		for range 6 {
			_, err := s.FollowupMessageCreate(i.Interaction, true, &discordgo.WebhookParams{Content: "y"})
			got <- err
		}
	}})
	if _, err := register(s, d, "", []any{obj{"name": "me", "description": "x", "integration_types": []int{1}, "contexts": []int{0, 1, 2}}}); err != nil {
		t.Fatal(err)
	}
	maple := d.Player(t, "maple")
	if said := fails(t, func(t discordtest.TB) { maple.With(t).Slash("me") }); !strings.Contains(said, "no command /me") {
		t.Errorf("without installing: %q", said)
	}
	maple.InstallForMyself().LeaveServer().InDM().Slash("me")
	var last error
	for range 6 {
		last = <-got
	}
	if code(last) != 40094 {
		t.Errorf("the sixth follow-up gave %v", last)
	}
}
