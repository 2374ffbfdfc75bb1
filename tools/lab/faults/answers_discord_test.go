//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	msg "tradepost/core/text"
)

// Every error is classified, so that a new one is not forgotten.
func TestEveryErrorIsClassified(t *testing.T) {
	errors := msg.Languages[0].Errors
	classified := map[string]bool{}
	for line := range strings.Lines(errorCodes) {
		code := strings.TrimLeft(strings.TrimSpace(line), "?- ")
		classified[code] = true
		if _, known := errors[code]; !known {
			t.Errorf("error_codes.txt has %q, which is no error", code)
		}
	}
	for code, sentence := range errors {
		if !classified[code] {
			t.Errorf("error_codes.txt does not say what %s, %q, proves of a write", code, sentence)
		}
	}
}

func TestAnswersInDiscordProveOutcomes(t *testing.T) {
	text := msg.For("en-US").Sprint
	accepted := "✅ Accepted 3 × Iron Ore from Rowan, for 🟤 **300c**."
	for name, tt := range map[string]struct {
		op   op
		said []string
		want certainty
		odd  bool // nothing is known of the sentence
	}{
		"it was done":                          {opAccept, []string{accepted + "\n**Next Steps:** write to @rowan"}, acknowledged, false},
		"it was posted":                        {opPost, []string{text(msg.Posted) + "\nIron Ore\nrequest #7"}, acknowledged, false},
		"it was done, after a while of doubt":  {opAccept, []string{text(msg.UnknownAfterButton), accepted, text(msg.KnownNow)}, acknowledged, false},
		"another write was done":               {opAccept, []string{text(msg.Sold, "quantity", 3, "item", "Iron Ore", "left", 7)}, unknown, true},
		"it was saved before":                  {opAccept, []string{text(msg.SavedBefore)}, unknown, false},
		"the outcome is unknown":               {opAccept, []string{text(msg.NeverKnownAfterCommand)}, unknown, false},
		"the database is away":                 {opSell, []string{"The market cannot be reached just now. Please try again."}, unknown, false},
		"an error":                             {opAccept, []string{"That offer is no longer here\n" + text(msg.HintGone)}, refused, false},
		"an error with an argument, escaped":   {opPost, []string{`You already have this request open: Iron \*Ore\* (number 7). Change something, or use that one.`}, refused, false},
		"several errors":                       {opPost, []string{"- Quantity must be greater than 0\n- Item name is required"}, refused, false},
		"a question":                           {opOffer, []string{text(msg.YouOffered, "quantity", 3) + "\n" + text(msg.ReplaceAsk, "quantity", 5, "item", "Iron Ore")}, refused, false},
		"the message that another write edits": {opAccept, []string{text(msg.NewOffers, "count", 2)}, unknown, true},
		"a mention of a command":               {opDelete, []string{"Request deleted. </request mine:123> shows the others."}, acknowledged, false},
		"a sentence that is new":               {opAccept, []string{"The stars are not right."}, unknown, true},
		"no answer":                            {opAccept, nil, unknown, false},
	} {
		if got, known := saidInDiscord(tt.op, tt.said); got != tt.want || known == tt.odd {
			t.Errorf("%s: %q proves %s, known %v; want %s", name, tt.said, got, known, tt.want)
		}
	}
}

// A message that says that a write was done must not say so of another one.
func TestEachWriteHasItsOwnSentences(t *testing.T) {
	var all []msg.Key
	for _, keys := range done {
		all = append(all, keys...)
	}
	for _, key := range slices.Concat(all, inDoubt, notDone) {
		if msg.Languages[0].Messages[key].String() == "" {
			t.Errorf("there is no message %s", key)
		}
	}
	for op, keys := range done {
		for _, key := range all {
			said := argument.ReplaceAllString(regexp.QuoteMeta(msg.Languages[0].Messages[key].Variants()[0]), "5")
			said = strings.ReplaceAll(said, `\`, "")
			got, _ := saidInDiscord(op, []string{said})
			if own := slices.Contains(keys, key); own != (got == acknowledged) {
				t.Errorf("%q proves that %s is %s", said, op, got)
			}
		}
	}
}
