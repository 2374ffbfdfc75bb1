// Package commands builds the slash commands as Discord gets them, with their names and descriptions in
// every language.
package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Maximum lengths of options that are parsed and not stored.
const (
	MaxPriceText  = 60
	maxReference  = 100 // an id, or words to find something by
	MaxSearchText = 40
	maxZoneText   = 60
)

// Tree is every slash command. Required options come first, as Discord demands. Descriptions are in
// core/text, by the path of a command; names in other languages too. All are in the languages that the
// market offers, and names also in English, by which Discord knows them.
//
// fields returns the fields of a request as options: all of them, for a command that posts or, when
// editing, changes one.
func Tree(
	game game.Game, on core.Features, languages msg.Offered,
	fields func(game game.Game, editing bool) []*discordgo.ApplicationCommandOption,
) []*discordgo.ApplicationCommand {
	ownRequest := func() *discordgo.ApplicationCommandOption {
		return Text("request", maxReference, Required,
			Suggested)
	}
	tree := []*discordgo.ApplicationCommand{
		alone("market"), // never with subcommands: Discord refuses the bare command then
		group("request",
			sub("post", fields(game, false)...),
			sub("several"),
			sub("browse",
				Text("category", 0, Of(CategoryChoices(game))),
				Text("search", MaxSearchText, Suggested),
				Text("importance", 0, Of(ImportanceChoices())),
				Number("level", 1, core.MaxLevel),
				Yes("for-me"),
				Text("min-price", MaxPriceText),
				Text("max-price", MaxPriceText),
				Text("sort", 0, Of(choicesOf(match.Sorts))),
			),
			sub("show",
				Text("request", maxReference, Required, Suggested),
				Yes("share"),
			),
			sub("mine",
				Text("status", 0, Of(choicesOf(match.OrderLists))),
			),
			sub("edit", append([]*discordgo.ApplicationCommandOption{ownRequest()},
				fields(game, true)...)...),
			sub("close", ownRequest()),
			sub("renew", ownRequest()),
			sub("delete", ownRequest()),
		),
		group("offer",
			sub("send",
				Text("request", maxReference, Required, Suggested),
				Number("quantity", 1, core.MaxQuantity, Required),
				Text("message", core.MaxOfferMessage, Required),
				Text("name", core.MaxSellerName),
			),
			sub("list", Text("request", maxReference, Suggested)),
			sub("accept",
				Text("offer", maxReference, Required, Suggested),
				Number("quantity", 1, core.MaxQuantity),
			),
			sub("delete",
				Text("offer", maxReference, Required, Suggested),
			),
			sub("mine"),
			sub("withdraw",
				Text("offer", maxReference, Required, Suggested),
			),
			sub("unblock",
				Text("seller", maxReference, Required, Suggested),
			),
			sub("standing",
				ownRequest(),
				Number("take", 0, core.MaxQuantity),
				Text("sellers", 0, Of(sellersChoices())),
				Number("from-others", 0, core.MaxQuantity),
				Number("days", 1, trade.MaxStandingDays),
			),
			sub("least-record",
				ownRequest(),
				Text("sellers", 0, Of(sellersChoices())),
				Number("new-up-to", 0, core.MaxQuantity),
			),
		),
		staff(group("moderate",
			sub("reports"),
			sub("remove",
				Text("request", maxReference, Required, Suggested),
				Text("reason", core.MaxReason, Required),
			),
			sub("block",
				Text("request", maxReference, Required, Suggested),
				Text("reason", core.MaxReason, Required),
			),
			sub("unblock",
				Text("user", maxReference, Required, Suggested),
			),
			sub("rings"),
			sub("reach"),
			sub("vouch",
				Text("request", maxReference, Suggested),
			),
			sub("blocked"),
			sub("log"),
			sub("here"),
			sub("signed-in-only",
				Yes("on", Required),
				Text("reason", core.MaxReason),
			),
		)),
		group("sales",
			sub("log",
				ownRequest(),
				Number("quantity", 1, core.MaxQuantity, Required),
				Text("notes", core.MaxNotes),
			),
			sub("history", ownRequest()),
		),
		managed(group("board",
			sub("here",
				Text("category", 0, Of(CategoryChoices(game))),
				Text("category-2", maxReference, Suggested),
				Text("category-3", maxReference, Suggested),
				Text("min-price", MaxPriceText),
				Number("level-from", 1, core.MaxLevel),
				Number("level-to", 1, core.MaxLevel),
				Yes("open"),
				forum("forum"),
			),
			sub("list"),
			sub("remove", forum("forum")),
			sub("panel"),
			sub("role", role("role")),
			sub("pings",
				Yes("on", Required),
				Number("pause", 1, int(channels.MaxPingPause/time.Minute)),
			),
		)),
		onPerson(RecordOf),
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
		tree = withStock(tree, on.Crossing)
	}
	if on.Listings {
		tree = withListings(tree)
	}
	if on.Tokens {
		tree = withPrograms(tree)
	}
	tree = switchedOn(append(withHandovers(on, tree), moved()...), on)
	localiser{game, languages}.commands(tree)
	return tree
}

// withItems adds the commands of the catalogue.
func withItems(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "moderate" {
			c.Options = append(c.Options,
				sub("names"),
				sub("merge",
					Text("name", core.MaxItemName, Required, Suggested),
					Text("into", core.MaxItemName, Required, Suggested),
				),
			)
		}
	}
	return append(tree, group("item",
		sub("look", Text("item", core.MaxItemName, Required, Suggested)),
	))
}

// CategoryChoices returns the professions of a game.
func CategoryChoices(game game.Game) []*namedChoice {
	choices := make([]*namedChoice, len(game.Professions))
	for i, c := range game.Categories() {
		choices[i] = &namedChoice{Value: c}
	}
	return choices
}

// ImportanceChoices returns how soon a request can be needed.
func ImportanceChoices() []*namedChoice { return choicesOf(game.Importances) }

// sellersChoices prefixes the keys of its texts, because "met" is also a state of trades.
func sellersChoices() []*namedChoice {
	choices := make([]*namedChoice, len(trade.AllSellers))
	for i, s := range trade.AllSellers {
		choices[i] = fixedChoice("sellers-" + string(s))
		choices[i].Value = string(s)
	}
	return choices
}

func choicesOf[T ~string](all []T) []*namedChoice {
	choices := make([]*namedChoice, len(all))
	for i, one := range all {
		choices[i] = fixedChoice(string(one))
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
					Suggested(option)
				}
			}
		}
	}
	return tree
}
