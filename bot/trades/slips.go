package trades

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// How much of a slip a message shows.
const (
	slipLinesShown = 10
	slipItemsShown = 6
	slipItemSize   = 80
	slipLineSize   = 120
	slipNamesSize  = 200
	slipCopySize   = 700
	slipItemsNamed = 4 // in the line to copy
)

// slipView shows the open trades with a partner.
func slipView(partner core.UserID) string { return fmt.Sprintf("t%d", partner) }

// openBetween shows everything that is open between the actor and the person that the command was used on.
func (b Trades) openBetween(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partners, err := b.Market.Trade.SlipPartners(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	person := in.Interaction.TargetUser()
	for _, p := range partners {
		if p.DiscordID == person.ID {
			return b.slip(ctx, in, p.User, "")
		}
	}
	name := cmp.Or(person.GlobalName, person.Username)
	return kernel.Private(in.Tr.Text(msg.SlipNobody, "partner", discord.Visible(name))), nil
}

// nameForm asks how the actor's partners find them in the game.
func (b Trades) nameForm(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("game-named").OpenedBy(in.Interaction),
		Title: in.Tr.Plain(msg.SlipSayName),
		Fields: []discord.Field{{Name: "name", Label: in.Tr.Plain(msg.FieldIgn),
			Optional: true, MaxLength: core.MaxInGameName}},
	}}, nil
}

// setInGameName stores how the actor's partners find them in the game.
func (b Trades) setInGameName(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	name, err := b.Market.Trade.SetInGameName(ctx, in.Actor, in.Text("name"))
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(nameSaved(in.Tr, name)), nil
}

func nameSaved(t kernel.Translator, name string) discord.Markdown {
	if name == "" {
		return t.Text(msg.InGameNameRemoved)
	}
	return t.Text(msg.InGameNameSaved, "name", name)
}

// slipButton shows the slip with a partner below the message of the button.
func (b Trades) slipButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.slip(ctx, in, core.UserID(in.ID.Number(0)), "")
}

func (b Trades) slipPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, slipView(core.UserID(in.Picked())), "")
}

func (b Trades) slipRefreshed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.Redraw(ctx, in, slipView(core.UserID(in.ID.Number(0))), "")
}

// slip shows everything that is open between the actor and a partner, to the actor alone.
func (b Trades) slip(
	ctx context.Context, in kernel.Input, partner core.UserID, note discord.Markdown,
) (kernel.Reply, error) {
	s, err := b.Market.Trade.Slip(ctx, in.Actor, partner)
	if err != nil {
		return kernel.Reply{}, err
	}
	t, address := in.Tr, b.TradeURL(s.Lines[0].Trade)
	totals, waiting := s.Totals(b.Now()), s.Waiting(b.Now())
	if len(waiting) > 0 {
		address = b.TradeURL(waiting[0])
	}
	e := &discord.Card{
		Title: string(t.Text(msg.SlipTitle, "partner", s.Partner.Account.DisplayName)), URL: address,
		Color:       kernel.ColourUsual,
		Description: string(b.slipLines(t, s)),
	}
	if more := len(s.Lines) - slipLinesShown; more > 0 {
		e.Footer = t.Text(msg.AndMore, "count", more)
	}
	add := func(name discord.Markdown, value discord.Markdown, inline bool) {
		if value != "" {
			e.Fields = append(e.Fields, &discord.CardField{Name: string(name), Value: string(value),
				Inline: inline})
		}
	}
	if len(waiting) > 0 {
		add(t.Text(msg.SlipBring), brings(t, totals.Bring, totals.Pay), true)
		add(t.Text(msg.SlipGet), brings(t, totals.Get, totals.Earn), true)
		add(t.Text(msg.SlipNet), net(t, totals), false)
	}
	add(t.Text(msg.SlipPartner), kernel.Joined(kernel.Mention(s.Partner.Account.Username, s.Partner.Account),
		inGame(t, s.Partner)), true)
	add(t.Text(msg.SlipYou), inGame(t, s.Own), true)
	add(t.Text(msg.SlipPlace), place(t, s), false)
	if line := b.RecordLine(ctx, t, partner); line != "" {
		add(t.Text(msg.RecordTitle), line, false)
	}
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{e}
	if len(waiting) > 0 {
		line := discord.Clip(strings.ReplaceAll(lineForGame(t, s, totals), "`", "'"), slipCopySize)
		add(t.Text(msg.SlipLine), discord.Markdown("```\n"+line+"\n```"), false)
		reply.Rows = append(reply.Rows, kernel.Row(metForAll(t, partner, waiting)))
	} else {
		reply.Text = kernel.Joined(note, t.Text(msg.SlipAnswered))
	}
	buttons := []discordgo.MessageComponent{}
	if s.CanSayPlace {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("slip-place", partner),
			discordgo.SecondaryButton, t.Plain(msg.SlipSayPlace)))
	}
	buttons = append(buttons,
		kernel.Button(discord.NewCustomID("slip-name", partner), discordgo.SecondaryButton,
			t.Plain(msg.SlipSayName)),
		kernel.Button(discord.NewCustomID("slip-again", partner), discordgo.SecondaryButton,
			t.Plain(msg.ListRefresh)))
	reply.Rows = append(reply.Rows, kernel.Row(append(buttons,
		kernel.WebLink(address, t.Plain(msg.OpenWeb))...)...))
	return reply, nil
}

// metForAll returns the button that confirms the meeting for all waiting trades. It carries the latest sale
// and the number of sales that the reader has seen.
func metForAll(
	t kernel.Translator, partner core.UserID, waiting []trade.Trade,
) discordgo.MessageComponent {
	var last core.SaleID
	shown := 0
	for _, h := range waiting {
		last, shown = max(last, h.Sale), shown+int(h.Sale)
	}
	label := t.Plain(msg.WeMet)
	if len(waiting) > 1 {
		label = t.Plain(msg.WeMetAll, "count", len(waiting))
	}
	return kernel.Button(discord.NewCustomID("slip-met", partner, last, len(waiting)).At(shown),
		discordgo.SuccessButton, label)
}

// slipLines lists the first handovers of a slip, each with its state.
func (b Trades) slipLines(t kernel.Translator, s trade.Slip) (text discord.Markdown) {
	for _, line := range s.Lines[:min(len(s.Lines), slipLinesShown)] {
		h, key := line.Trade, msg.SlipSells
		if h.SideOf(s.Own.User) == trust.BuyerSide {
			key = msg.SlipBuys
		}
		what := t.Text(key, "items", discord.ClipMarkdown(t.Text(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName),
			slipLineSize))
		text = kernel.Joined(text, what+" · "+t.Text(msg.ReceiptSum, "quantity", h.Quantity,
			"price", h.UnitPrice, "sum", h.Total())+
			" · "+handoverStatus(t, h, s.Own.User, b.Now()))
	}
	return text
}

// brings lists the items and coins that one of the two brings.
func brings(t kernel.Translator, items []trade.ItemSum, coins *big.Int) (text discord.Markdown) {
	for i, item := range items {
		if i == slipItemsShown {
			text = kernel.Joined(text, t.Text(msg.AndMore, "count", len(items)-i))
			break
		}
		text = kernel.Joined(text, discord.ClipMarkdown(t.Text(msg.OfferTitle, "quantity", item.Quantity,
			"item", item.ItemName),
			slipItemSize))
	}
	if coins.Sign() > 0 {
		text = kernel.Joined(text, t.Sum(coins))
	}
	return text
}

// net names the side that pays in the end, where both pay something.
func net(t kernel.Translator, totals trade.SlipTotals) discord.Markdown {
	net := totals.Net()
	switch {
	case totals.Pay.Sign() == 0 || totals.Earn.Sign() == 0:
		return ""
	case net.Sign() == 0:
		return t.Text(msg.SlipEven)
	case net.Sign() > 0:
		return t.Text(msg.SlipNetPay, "sum", t.Sum(net))
	}
	return t.Text(msg.SlipNetGet, "sum", t.Sum(new(big.Int).Neg(net)))
}

func inGame(t kernel.Translator, p trade.SlipParty) discord.Markdown {
	if len(p.InGameNames) == 0 {
		return t.Text(msg.SlipNoName)
	}
	names := discord.ClipMarkdown(discord.Escape(strings.Join(p.InGameNames, ", ")), slipNamesSize)
	return t.Marked(t.Text(msg.InGame, "name", names), p.LookAlike)
}

func place(t kernel.Translator, s trade.Slip) discord.Markdown {
	switch p := s.Place; {
	case p.Text == "":
		return t.Text(msg.SlipNoPlace)
	case p.SaidBy == s.Own.User:
		return t.Text(msg.SlipPlaceYours, "place", p.Text)
	default:
		return t.Text(msg.SlipPlaceTheirs, "place", p.Text, "partner", s.Partner.Account.DisplayName)
	}
}

// lineForGame returns a message to paste into the game: both names, the items and coins of each side, and the
// place.
func lineForGame(t kernel.Translator, s trade.Slip, totals trade.SlipTotals) string {
	net := totals.Net()
	line := t.Plain(msg.SlipHi, "partner", partyInGame(s.Partner), "name", partyInGame(s.Own))
	if mine := named(t, totals.Bring, net); mine != "" {
		line += " " + t.Plain(msg.SlipIBring, "items", mine)
	}
	if theirs := named(t, totals.Get, new(big.Int).Neg(net)); theirs != "" {
		line += " " + t.Plain(msg.SlipYouBring, "items", theirs)
	}
	if s.Place.Text != "" {
		return line + " " + t.Plain(msg.SlipMeetAt, "place", s.Place.Text)
	}
	return line + " " + t.Plain(msg.SlipWhere)
}

func partyInGame(p trade.SlipParty) string {
	if len(p.InGameNames) > 0 {
		return p.InGameNames[0]
	}
	return p.Account.DisplayName
}

// named lists items and, above zero, coins in a few words.
func named(t kernel.Translator, items []trade.ItemSum, coins *big.Int) string {
	var parts []string
	for i, item := range items {
		if i == slipItemsNamed {
			parts = append(parts, t.Plain(msg.AndMore, "count", len(items)-i))
			break
		}
		parts = append(parts, t.Plain(msg.OfferTitle, "quantity", item.Quantity, "item", item.ItemName))
	}
	if coins.Sign() > 0 {
		parts = append(parts, t.Game.PrintSum(coins, t.Count))
	}
	return strings.Join(parts, ", ")
}

// slipMet saves that the actor met for all trades that the message showed. It leaves out newer trades, and
// shows them first.
func (b Trades) slipMet(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partner, last, count := core.UserID(in.ID.Number(0)), core.SaleID(in.ID.Number(1)), int(in.ID.Number(2))
	view := slipView(partner)
	s, err := b.Market.Trade.Slip(ctx, in.Actor, partner)
	if core.KindOf(err) == core.NotFound { // pressed again, and all is settled by now
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.HandoverAnswered))
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	var sales []core.SaleID
	waiting := slices.DeleteFunc(s.Waiting(b.Now()), func(h trade.Trade) bool { return h.Sale > last })
	for _, h := range waiting {
		sales = append(sales, h.Sale)
	}
	switch {
	case len(sales) == 0:
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.HandoverAnswered))
	case len(sales) > count: // not all of them were shown
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.SlipChanged))
	}
	said, err := b.Market.Trade.SayHandovers(ctx, in.Actor, sales, trade.SaidMet)
	var failed *core.Error
	if errors.As(err, &failed) && len(failed.Fields) > 0 && !core.KeyReused(err) {
		return b.Redraw(ctx, in, view, slipErrors(in.Tr, failed, waiting))
	}
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, saidNote(in.Tr, said[0], in.Actor.UserID))
}

var saleOfField = regexp.MustCompile(`^sales\[(\d+)\]$`)

// slipErrors explains why nothing was saved, by line.
func slipErrors(t kernel.Translator, failed *core.Error, asked []trade.Trade) discord.Markdown {
	text := t.Text(msg.SlipNotSaved)
	for i, field := range failed.Fields {
		if i == slipItemsShown {
			return kernel.Joined(text, t.Text(msg.AndMore, "count", len(failed.Fields)-i))
		}
		why := discord.Escape(t.Core(field.Text))
		if m := saleOfField.FindStringSubmatch(field.Field); m != nil {
			if place, _ := strconv.Atoi(m[1]); 1 <= place && place <= len(asked) {
				h := asked[place-1]
				why = discord.ClipMarkdown(t.Text(msg.OfferTitle, "quantity", h.Quantity,
					"item", h.ItemName), slipLineSize) +
					": " + why
			}
		}
		text = kernel.Joined(text, "- "+why)
	}
	return text
}

// slipPlaceForm asks where the two meet.
func (b Trades) slipPlaceForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partner := core.UserID(in.ID.Number(0))
	s, err := b.Market.Trade.Slip(ctx, in.Actor, partner)
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("slip-placed", partner).OpenedBy(in.Interaction),
		Title: in.Tr.Plain(msg.SlipPlace),
		Fields: []discord.Field{{
			Name: "place", Label: in.Tr.Plain(msg.SlipPlaceLabel), Value: s.Place.Text, Optional: true,
			MaxLength: core.MaxMeetingPlace,
		}},
	}}, nil
}

func (b Trades) slipPlaced(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partner := core.UserID(in.ID.Number(0))
	if err := b.Market.Trade.SetMeetingPlace(ctx, in.Actor, partner, in.Text("place")); err != nil {
		return b.ErrorOn(ctx, in, slipView(partner), err)
	}
	return b.Redraw(ctx, in, slipView(partner), in.Tr.Text(msg.SlipPlaceSaved))
}

// slipNameForm asks how the actor is called in the game.
func (b Trades) slipNameForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partner := core.UserID(in.ID.Number(0))
	s, err := b.Market.Trade.Slip(ctx, in.Actor, partner)
	if err != nil {
		return kernel.Reply{}, err
	}
	now := ""
	if len(s.Own.InGameNames) > 0 {
		now = s.Own.InGameNames[0]
	}
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("slip-named", partner).OpenedBy(in.Interaction),
		Title: in.Tr.Plain(msg.SlipSayName),
		Fields: []discord.Field{{Name: "name", Label: in.Tr.Plain(msg.FieldIgn), Value: now,
			Optional: true, MaxLength: core.MaxInGameName}},
	}}, nil
}

func (b Trades) slipNamed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	partner := core.UserID(in.ID.Number(0))
	name, err := b.Market.Trade.SetInGameName(ctx, in.Actor, in.Text("name"))
	if err != nil {
		return b.ErrorOn(ctx, in, slipView(partner), err)
	}
	return b.Redraw(ctx, in, slipView(partner), nameSaved(in.Tr, name))
}

// slipOf is a button to the slip with the other side of a handover; none once they have left.
func slipOf(t kernel.Translator, h trade.Trade, reader core.UserID) []discordgo.MessageComponent {
	partner := h.Other(reader).User
	if partner == 0 {
		return nil
	}
	return []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("slip", partner),
		discordgo.SecondaryButton, t.Plain(msg.SlipButton))}
}
