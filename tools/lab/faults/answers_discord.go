//go:build unix

package main

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	msg "tradepost/core/text"
)

// done are what the bot says when a write has happened.
var done = map[op][]msg.Key{
	opPost: {msg.Posted}, opEdit: {msg.Edited}, opRenew: {msg.Renewed}, opClose: {msg.Closed},
	opDelete: {msg.Deleted},
	opOffer:  {msg.OfferSent, msg.OfferReplaced, msg.OfferAcceptedAtOnce}, opWithdraw: {msg.Withdrawn},
	opDecline: {msg.Declined, msg.DeclinedNotified},
	opAccept:  {msg.OfferAccepted}, opSell: {msg.Sold, msg.SoldOut}, opReport: {msg.Reported},
	opSay: {msg.NotedMet, msg.NotedWaiting, msg.NotedDisputed, msg.NotedCancelled},
}

// doneToo lists the bot's answers to writes of make histories that have commands of their own.
var doneToo = map[op][]msg.Key{
	opSetStanding: {msg.StandingSetAll}, opEndStanding: {msg.StandingEnded},
	opSetLeast: {msg.LeastRecordAnybody}, opEndLeast: {msg.LeastRecordOff},
	opName: {msg.InGameNameSaved}, opSettings: {msg.SettingsSaved},
}

// inDoubt are what the bot says when a write may have happened: it does not know, or a write with the same
// key has happened before, which another press of the same button can have been.
var inDoubt = []msg.Key{
	msg.TooSlow, msg.InternalError, msg.UnknownAfterButton, msg.UnknownAfterCommand,
	msg.NeverKnownAfterButton,
	msg.NeverKnownAfterCommand, msg.KnownNow, msg.SavedBefore, msg.SlowForm, msg.HintLater,
	msg.HandoverAnswered,
}

// notDone are what the bot says, besides its errors, when a write has not happened: it asks first, or does
// not know what is meant.
var notDone = []msg.Key{
	msg.Outdated, msg.ReplaceAsk, msg.WhichOrder, msg.WhichOffer, msg.NoOpenOrder, msg.NoOwnOrder,
	msg.NoSuchOffer, msg.NoSentOffer,
}

// errorCodes are the codes of errors, one a line. A ? is before one that leaves open whether the write was
// done, and a dash before one that only the page answers with.
//
//go:embed error_codes.txt
var errorCodes string

// answerKinds are the sentences of answers by what they prove.
type answerKinds struct {
	done             map[op][]*regexp.Regexp
	notDone, inDoubt []*regexp.Regexp
}

var sentencesOfAnswers = sync.OnceValue(func() answerKinds {
	kinds := answerKinds{done: map[op][]*regexp.Regexp{}, notDone: ofMessages(notDone),
		inDoubt: ofMessages(inDoubt)}
	for _, keys := range []map[op][]msg.Key{done, doneToo} {
		for op, keys := range keys {
			kinds.done[op] = ofMessages(keys)
		}
	}
	for line := range strings.Lines(errorCodes) {
		switch mark, code, marked := strings.Cut(strings.TrimSpace(line), " "); {
		case !marked:
			kinds.notDone = append(kinds.notDone, ofError(mark)...)
		case mark == "?":
			kinds.inDoubt = append(kinds.inDoubt, ofError(code)...)
		}
	}
	return kinds
})

var (
	argument = regexp.MustCompile(`\\\{[A-Za-z0-9]+\\\}`)
	command  = regexp.MustCompile("`/([a-z -]+)`") // is a mention of the command in an answer
)

// ofMessages finds messages of the bot in an answer, in English.
func ofMessages(keys []msg.Key) (all []*regexp.Regexp) {
	for _, key := range keys {
		for _, form := range msg.Languages[0].Messages[key].Variants() {
			quoted := command.ReplaceAllString(regexp.QuoteMeta(form), "(?:`/$1`|</$1:\\d+>)")
			all = append(all, regexp.MustCompile(`(?m)^`+argument.ReplaceAllString(quoted, ".+")+`$`))
		}
	}
	return all
}

// ofError finds an error in an answer: it has a line of its own, after a dash where there are several.
func ofError(code string) (all []*regexp.Regexp) {
	for _, sentence := range msg.Languages[0].Errors[code].Variants() {
		sentence = argument.ReplaceAllString(regexp.QuoteMeta(sentence), ".+")
		all = append(all, regexp.MustCompile(`(?m)^(- )?`+sentence+`$`))
	}
	return all
}

// saidInDiscord returns what an answer proves of a write. It is false for an answer without a sentence that
// is known, which proves nothing.
func saidInDiscord(op op, said []string) (c certainty, known bool) {
	// as it reads: without what escapes markdown
	text := strings.ReplaceAll(strings.Join(said, "\n"), `\`, "")
	has := func(sentences []*regexp.Regexp) bool {
		return slices.ContainsFunc(sentences, func(s *regexp.Regexp) bool { return s.MatchString(text) })
	}
	kinds := sentencesOfAnswers()
	switch {
	case has(kinds.done[op]):
		return acknowledged, true
	case has(kinds.inDoubt): // also where the error beside it says that nothing was done: the answer may be to a repeat
		return unknown, true
	case has(kinds.notDone):
		return refused, true
	}
	return unknown, text == ""
}
