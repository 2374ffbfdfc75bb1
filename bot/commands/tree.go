package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	msg "tradepost/bot/text"
	"tradepost/core"
)

// Maximum lengths of options that are parsed and not stored.
const (
	MaxPriceText  = 60
	maxReference  = 100 // an id, or words to find something by
	MaxSearchText = 40
	maxZoneText   = 60
)

// Tree is every slash command. Required options come first, as Discord demands. Descriptions are in bot/text, by the
// path of a command; names in other languages too.
func Tree(game core.Game, on core.Features) []*discordgo.ApplicationCommand {
	ownRequest := func() *discordgo.ApplicationCommandOption { return text("request", maxReference, required, suggested) }
	tree := []*discordgo.ApplicationCommand{
		group("request",
			sub("post", OrderOptions(game, false)...),
			sub("several"),
			sub("browse",
				text("category", 0, of(CategoryChoices(game))),
				text("search", MaxSearchText, suggested),
				text("importance", 0, of(ImportanceChoices())),
				number("level", 1, core.MaxLevel),
				yes("for-me"),
				text("min-price", MaxPriceText),
				text("max-price", MaxPriceText),
				text("sort", 0, of(sortChoices())),
			),
			sub("show",
				text("request", maxReference, required, suggested),
				yes("share"),
			),
			sub("mine",
				text("status", 0, of(statusChoices())),
			),
			sub("edit", append([]*discordgo.ApplicationCommandOption{ownRequest()}, OrderOptions(game, true)...)...),
			sub("close", ownRequest()),
			sub("renew", ownRequest()),
			sub("delete", ownRequest()),
		),
		group("offer",
			sub("send",
				text("request", maxReference, required, suggested),
				number("quantity", 1, core.MaxQuantity, required),
				text("message", core.MaxOfferMessage, required),
				text("name", core.MaxSellerName),
			),
			sub("list", text("request", maxReference, suggested)),
			sub("accept",
				text("offer", maxReference, required, suggested),
				number("quantity", 1, core.MaxQuantity),
			),
			sub("delete",
				text("offer", maxReference, required, suggested),
			),
			sub("mine"),
			sub("withdraw",
				text("offer", maxReference, required, suggested),
			),
			sub("unblock",
				text("seller", maxReference, required, suggested),
			),
			sub("standing",
				ownRequest(),
				number("take", 0, core.MaxQuantity),
				number("partners", 1, core.MaxPartnersAsked),
				number("from-others", 0, core.MaxQuantity),
				number("days", 1, core.MaxStandingDays),
			),
			sub("least-record",
				ownRequest(),
				number("partners", 0, core.MaxPartnersAsked),
				number("new-up-to", 0, core.MaxQuantity),
			),
		),
		alone("report",
			text("request", maxReference, required, suggested),
			text("reason", core.MaxReason, required),
		),
		staff(group("moderate",
			sub("reports"),
			sub("remove",
				text("request", maxReference, required, suggested),
				text("reason", core.MaxReason, required),
			),
			sub("block",
				text("request", maxReference, required, suggested),
				text("reason", core.MaxReason, required),
			),
			sub("unblock",
				text("user", maxReference, required, suggested),
			),
			sub("set-aside",
				text("users", 1000, required),
				text("reason", core.MaxReason, required),
			),
			sub("rings"),
			sub("vouch",
				text("request", maxReference, required, suggested),
			),
			sub("blocked"),
			sub("log"),
			sub("here"),
			sub("signed-in-only",
				yes("on", required),
				text("reason", core.MaxReason),
			),
		)),
		group("sales",
			sub("log",
				ownRequest(),
				number("quantity", 1, core.MaxQuantity, required),
				text("notes", core.MaxNotes),
			),
			sub("history", ownRequest()),
		),
		group("trader",
			sub("look", text("name", core.MaxContact)),
		),
		group("notify",
			sub("settings"),
			sub("quiet",
				text("from", 5),
				text("to", 5),
				text("zone", maxZoneText, suggested),
			),
			sub("test"),
			sub("inbox"),
			sub("pings"),
		),
		group("data",
			sub("download"),
			sub("delete"),
		),
		managed(group("board",
			sub("here",
				text("category", 0, of(CategoryChoices(game))),
				text("category-2", maxReference, suggested),
				text("category-3", maxReference, suggested),
				text("min-price", MaxPriceText),
				number("level-from", 1, core.MaxLevel),
				number("level-to", 1, core.MaxLevel),
				yes("open"),
				forum("forum"),
			),
			sub("list"),
			sub("remove", forum("forum")),
			sub("pings",
				yes("on", required),
				number("pause", 1, int(core.MaxPingPause/time.Minute)),
			),
		)),
		onMessage(OfferOnThis),
		onMessage(ReportThis),
	}
	if on.Items {
		tree = withItems(tree)
	}
	if on.Items && on.Prices {
		tree = withPrices(tree)
	}
	if on.Stock {
		tree = withStock(tree)
	}
	if on.Watches {
		tree = withWatches(game, tree)
	}
	return localise(game, switchedOn(withHandovers(on, tree), on))
}

// withItems adds what there is with a catalogue.
func withItems(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "moderate" {
			c.Options = append(c.Options,
				sub("names"),
				sub("merge",
					text("name", core.MaxItemName, required, suggested),
					text("into", core.MaxItemName, required, suggested),
				),
			)
		}
	}
	return append(tree, group("item",
		sub("look", text("item", core.MaxItemName, required, suggested)),
	))
}

func CategoryChoices(game core.Game) []*namedChoice {
	choices := make([]*namedChoice, len(game.Professions))
	for i, c := range game.Categories() {
		choices[i] = &namedChoice{Name: string(c), NameLocalizations: inOthers(func(l *msg.Language) string { return l.Categories[string(c)] }), Value: string(c)}
	}
	return choices
}

func ImportanceChoices() []*namedChoice {
	choices := make([]*namedChoice, len(core.Importances))
	for i, imp := range core.Importances {
		choices[i] = fixedChoice(string(imp))
	}
	return choices
}

func sortChoices() []*namedChoice {
	choices := make([]*namedChoice, len(core.Sorts))
	for i, s := range core.Sorts {
		choices[i] = fixedChoice(string(s))
	}
	return choices
}

func statusChoices() []*namedChoice {
	choices := make([]*namedChoice, len(core.OrderLists))
	for i, which := range core.OrderLists {
		choices[i] = fixedChoice(string(which))
	}
	return choices
}

// Commands in the menu of a message. Their names are also their paths.
const (
	OfferOnThis = "Offer on this"
	ReportThis  = "Report"
)

// withPrices completes the price of a request.
func withPrices(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		for _, command := range c.Options {
			if c.Name != "request" || command.Name != "post" && command.Name != "edit" {
				continue
			}
			for _, option := range command.Options {
				if option.Name == "price" {
					suggested(option)
				}
			}
		}
	}
	return tree
}
