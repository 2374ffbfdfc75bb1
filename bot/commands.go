package bot

import (
	"strings"

	"tradepost/core"
)

// Lengths of options that are words to be understood, not texts to be kept.
const (
	maxPriceText  = 60
	maxReference  = 100 // an id, or words to find something by
	maxSearchText = 40
	maxZoneText   = 60
)

// commandTree is every slash command. Required options come first, as Discord demands. What stands in braces is filled in by
// the game: see language.inGame.
func commandTree() []command {
	ownRequest := text("request", "Which of your requests: start typing its item", maxReference).required().suggested()
	return localise([]command{
		group("request", "Ask for items, and look after what you asked for",
			sub("post", "Ask for an item: you see it first, and nothing is posted before you say so",
				text("item", "What you need, as the game names it", core.MaxItemName).required().suggested(),
				number("quantity", "How many you need", 1, core.MaxQuantity).required(),
				text("price", "The most you pay for one, such as {amount}", maxPriceText).required(),
				text("category", "The profession it belongs to ({profession} when left out)", 0).of(categoryChoices()),
				text("importance", "How soon you need it (medium when left out)", 0).of(importanceChoices()),
				number("level", "The level a seller needs (any when left out)", 1, core.MaxLevel),
				text("description", "Anything a seller should know; the Edit button has more room", core.MaxDescription),
				text("contact", "Whom sellers write to on Discord (you when left out)", core.MaxContact),
				text("ign", "Your name in the game", core.MaxInGameName),
				yes("signed-in-only", "Take offers of signed-in sellers only, none of visitors of the page"),
			),
			sub("browse", "Look through what is wanted",
				text("category", "Only this profession", 0).of(categoryChoices()),
				text("search", "Words in the item or the description", maxSearchText).suggested(),
				text("importance", "Only requests of this importance", 0).of(importanceChoices()),
				number("level", "Your level: only what you can fill", 1, core.MaxLevel),
				text("min-price", "Only what pays at least this for one, such as {coin}", maxPriceText),
				text("max-price", "Only what pays at most this for one", maxPriceText),
				text("sort", "What comes first (newest when left out)", 0).of(sortChoices()),
			),
			sub("show", "Show one request, to you or to the whole channel",
				text("request", "Start typing its item and pick it", maxReference).required().suggested(),
				yes("share", "Show it to everybody here, with a button to offer"),
			),
			sub("mine", "Your own requests, each with its menu",
				text("status", "Which of them (the open ones when left out)", 0).of(statusChoices()),
			),
			sub("edit", "Change one of your requests; name nothing to change to get a menu",
				ownRequest,
				text("item", "What you need", core.MaxItemName).suggested(),
				number("quantity", "How many you need in all, with those already sold", 1, core.MaxQuantity),
				text("price", "The most you pay for one; offers already made keep theirs", maxPriceText),
				text("category", "The profession it belongs to", 0).of(categoryChoices()),
				text("importance", "How soon you need it", 0).of(importanceChoices()),
				number("level", "The level a seller needs; 0 for any", 0, core.MaxLevel),
				text("description", "Anything a seller should know; - for nothing", core.MaxDescription),
				text("contact", "Whom sellers write to on Discord; - for you", core.MaxContact),
				text("ign", "Your name in the game; - for none", core.MaxInGameName),
				yes("signed-in-only", "Take offers of signed-in sellers only, none of visitors of the page"),
			),
			sub("close", "End one of your requests before it is filled", ownRequest),
			sub("renew", "Show one of your requests for another 365 days", ownRequest),
			sub("delete", "Delete one of your requests with its offers", ownRequest),
		),
		group("offer", "Offer to fill requests, and answer the offers on yours",
			sub("send", "Offer to fill a request, or part of it",
				text("request", "Start typing the item and pick a request", maxReference).required().suggested(),
				number("quantity", "How many you can bring", 1, core.MaxQuantity).required(),
				text("message", "What the buyer should know: when, where", core.MaxOfferMessage).required(),
				text("name", "Your name to the buyer (your Discord name when left out)", core.MaxSellerName),
			),
			sub("list", "The offers on one of your requests", ownRequest),
			sub("accept", "Accept an offer on one of your requests",
				text("offer", "Which one: start typing its item or seller", maxReference).required().suggested(),
				number("quantity", "How many of them (all that you still need when left out)", 1, core.MaxQuantity),
			),
			sub("delete", "Decline an offer on one of your requests",
				text("offer", "Which one: start typing its item or seller", maxReference).required().suggested(),
			),
			sub("mine", "What you have offered, and what became of it"),
			sub("withdraw", "Take back an offer of yours",
				text("offer", "Which one: start typing its item", maxReference).required().suggested(),
			),
			sub("unblock", "Take offers again of a seller whom you blocked",
				text("seller", "Start typing their Discord name", maxReference).required().suggested(),
			),
		),
		alone("report", "Tell the moderators of a request that does not belong here",
			text("request", "Start typing its item and pick it", maxReference).required().suggested(),
			text("reason", "What is wrong with it", core.MaxReason).required(),
		),
		group("moderate", "Keep the market in order, for moderators",
			sub("reports", "What others have reported, and what can be done about it"),
			sub("remove", "Take a request off the market; its owner is told why",
				text("request", "Start typing its item and pick it", maxReference).required().suggested(),
				text("reason", "Why; its owner reads it", core.MaxReason).required(),
			),
			sub("block", "Shut out whoever posted a request: all of theirs is hidden",
				text("request", "Start typing its item and pick it", maxReference).required().suggested(),
				text("reason", "Why; they read it", core.MaxReason).required(),
			),
			sub("unblock", "Let somebody trade again",
				text("user", "Start typing their Discord name", maxReference).required().suggested(),
			),
			sub("blocked", "Who is shut out, and why"),
			sub("log", "Who did what, and when"),
		),
		group("sales", "Record what was sold of your requests",
			sub("log", "Record that some of a request was bought",
				ownRequest,
				number("quantity", "How many were bought", 1, core.MaxQuantity).required(),
				text("notes", "From whom, for how much: for you alone", core.MaxNotes),
			),
			sub("history", "The last sales updates of a request", ownRequest),
		),
		group("notify", "Which direct messages you get",
			sub("settings", "Choose what you are told of, or turn it all off"),
			sub("quiet", "Hours in which nothing is sent; leave both out for none",
				text("from", "When they begin, such as 22:00", 5),
				text("to", "When they end, such as 07:30", 5),
				text("zone", "Your time zone, such as Europe/Berlin", maxZoneText).suggested(),
			),
			sub("test", "Send yourself a message, to see whether it arrives"),
		),
		group("data", "What is kept about you",
			sub("download", "See what is kept about you, and get it as a file"),
			sub("delete", "Delete everything of yours for good"),
		),
		managed(group("board", "Show new requests in a channel, for members who may manage the server",
			sub("here", "Show each new request in this channel, with a button to offer",
				text("category", "Only this profession (all when left out)", 0).of(categoryChoices()),
			),
			sub("remove", "Show no more new requests in this channel"),
		)),
	})
}

func categoryChoices() []commandChoice {
	choices := make([]commandChoice, len(core.Categories))
	for i, c := range core.Categories {
		choices[i] = commandChoice{Name: string(c), NameIn: inOthers(func(l *language) string { return l.categories[c] }), Value: string(c)}
	}
	return choices
}

func importanceChoices() []commandChoice {
	choices := make([]commandChoice, len(core.Importances))
	for i, imp := range core.Importances {
		choices[i] = fixedChoice(title(string(imp)), string(imp))
	}
	return choices
}

func sortChoices() []commandChoice {
	choices := make([]commandChoice, len(core.Sorts))
	for i, s := range core.Sorts {
		choices[i] = fixedChoice(english.texts[sortNames[s]], string(s))
	}
	return choices
}

func statusChoices() []commandChoice {
	names := map[core.Which]msg{core.OpenOrders: msgMyRequests, core.FulfilledOrders: msgCompletedTab, core.ExpiredOrders: msgExpiredTab}
	choices := make([]commandChoice, len(ownLists))
	for i, which := range ownLists {
		choices[i] = fixedChoice(english.texts[names[which]], string(which))
	}
	return choices
}

// title sets the first letter of an ASCII word in upper case.
func title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
