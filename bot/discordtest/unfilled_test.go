package discordtest_test

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func TestAnUnfilledPlaceIsRefusedUnlessAUserTypedIt(t *testing.T) {
	t.Parallel()
	var refused []string
	d := discordtest.New(t, discordtest.Options{OnViolation: func(v discordtest.Violation) { refused = append(refused, v.String()) }})
	answer := ""
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Content: answer},
		}); err != nil {
			t.Error(err)
		}
	}})
	maple := d.Player(t, "maple")
	for _, tt := range []struct{ answer, typed, elsewhere, want string }{
		{answer: "120 are needed, at 4s each"},
		{answer: "120 are needed, at {2} each", want: "{2}"},
		{answer: "such as {coin}", want: "{coin}"},
		{answer: "%!d(MISSING) are needed", want: "%!d(MISSING)"},
		{answer: "Boots for {3} of us", typed: "Boots for {3} of us"},
		{answer: "I have {4}", elsewhere: "I have {4}"},
	} {
		refused, answer = nil, tt.answer
		if tt.elsewhere != "" {
			d.Typed(tt.elsewhere)
		}
		maple.Slash("request post", discordtest.Str("item", "x"+tt.typed), discordtest.Int("quantity", 1))
		if got := strings.Join(refused, "\n"); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%q, typed %q: refused is %q, want %q", tt.answer, tt.typed+tt.elsewhere, got, tt.want)
		}
	}
}
