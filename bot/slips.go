package bot

import (
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
	msg "tradepost/bot/text"
	"tradepost/core"
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

// slipView is the trade slip with a partner.
func slipView(partner core.UserID) string { return fmt.Sprintf("t%d", partner) }

// tradeWith shows everything that is open between the actor and one partner. Without a name it is the only partner, or a list to pick from.
func (b tradesBot) tradeWith(ctx context.Context, in Input) (Reply, error) {
	text := in.text("user")
	if id, ok := reference(text); ok {
		return b.slip(ctx, in, core.UserID(id), "")
	}
	partners, err := b.market.SlipPartners(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	if len(partners) == 0 {
		return private(in.tr.text(msg.SlipNothing)), nil
	}
	found := partnersNamed(partners, text)
	switch len(found) {
	case 0:
		return private(in.tr.text(msg.SlipNobody, discord.Visible(text))), nil
	case 1:
		return b.slip(ctx, in, found[0].User, "")
	}
	options := make([]discordgo.SelectMenuOption, len(found))
	for i, p := range found {
		options[i] = discordgo.SelectMenuOption{Label: partnerLabel(in.tr, p), Value: fmt.Sprint(int64(p.User))}
	}
	reply := private(in.tr.text(msg.SlipWhich))
	reply.rows = append(reply.rows, choose(discord.NewCustomID("slip-picked"), in.tr.plain(msg.Pick), options))
	return reply, nil
}

var mentioned = regexp.MustCompile(`^<@!?(\d+)>$`)

// partnersNamed returns the partners that a text means: a mention, a username, or part of a name.
func partnersNamed(partners []core.SlipPartner, text string) []core.SlipPartner {
	text = strings.ToLower(strings.TrimPrefix(text, "@"))
	if m := mentioned.FindStringSubmatch(text); m != nil {
		return slices.DeleteFunc(slices.Clone(partners), func(p core.SlipPartner) bool { return p.DiscordID != m[1] })
	}
	var found []core.SlipPartner
	for _, p := range partners {
		if text != "" && strings.EqualFold(p.Username, text) {
			return []core.SlipPartner{p}
		}
		if strings.Contains(strings.ToLower(p.Username), text) || strings.Contains(strings.ToLower(p.DisplayName), text) {
			found = append(found, p)
		}
	}
	return found
}

// suggestPartners completes one with whom something is open.
func (b tradesBot) suggestPartners(ctx context.Context, in Input) ([]*choice, error) {
	partners, err := b.market.SlipPartners(ctx, in.Actor)
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, p := range partnersNamed(partners, in.text("user")) {
		choices = append(choices, &choice{Name: partnerLabel(in.tr, p), Value: fmt.Sprint(int64(p.User))})
	}
	return choices, nil
}

func partnerLabel(t translator, p core.SlipPartner) string {
	count := " · " + t.plain(msg.SlipOpen, p.Open)
	name := p.DisplayName + " (@" + p.Username + ")"
	return discord.Clip(name, discord.MaxOptionLabel-discord.Size(count)) + count
}

// setInGameName stores how the actor's partners find them in the game.
func (b tradesBot) setInGameName(ctx context.Context, in Input) (Reply, error) {
	name, err := b.market.SetInGameName(ctx, in.Actor, in.text("name"))
	if err != nil {
		return Reply{}, err
	}
	return private(nameSaved(in.tr, name)), nil
}

func nameSaved(t translator, name string) discord.Markdown {
	if name == "" {
		return t.text(msg.InGameNameRemoved)
	}
	return t.text(msg.InGameNameSaved, name)
}

// slipButton shows the slip with a partner below the message of the button.
func (b tradesBot) slipButton(ctx context.Context, in Input) (Reply, error) {
	return b.slip(ctx, in, core.UserID(in.id.Number(0)), "")
}

func (b tradesBot) slipPicked(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, slipView(core.UserID(in.picked())), "")
}

func (b tradesBot) slipRefreshed(ctx context.Context, in Input) (Reply, error) {
	return b.redraw(ctx, in, slipView(core.UserID(in.id.Number(0))), "")
}

// slip shows everything that is open between the actor and a partner, to the actor alone.
func (b tradesBot) slip(ctx context.Context, in Input, partner core.UserID, note discord.Markdown) (Reply, error) {
	s, err := b.market.Slip(ctx, in.Actor, partner)
	if err != nil {
		return Reply{}, err
	}
	t, address := in.tr, b.pageURL("/trades/with/"+idText(partner))
	totals, waiting := s.Totals(b.now()), s.Waiting(b.now())
	e := &discord.Card{
		Title: string(t.text(msg.SlipTitle, s.Partner.Account.DisplayName)), URL: address, Color: colourUsual,
		Description: string(b.slipLines(t, s)),
	}
	if more := len(s.Lines) - slipLinesShown; more > 0 {
		e.Footer = t.text(msg.AndMore, more)
	}
	add := func(name discord.Markdown, value discord.Markdown, inline bool) {
		if value != "" {
			e.Fields = append(e.Fields, &discord.CardField{Name: string(name), Value: string(value), Inline: inline})
		}
	}
	if len(waiting) > 0 {
		add(t.text(msg.SlipBring), brings(t, totals.Bring, totals.Pay), true)
		add(t.text(msg.SlipGet), brings(t, totals.Get, totals.Earn), true)
		add(t.text(msg.SlipNet), net(t, totals), false)
	}
	add(t.text(msg.SlipPartner), joined(mention(s.Partner.Account.Username, s.Partner.Account), inGame(t, s.Partner)), true)
	add(t.text(msg.SlipYou), inGame(t, s.Own), true)
	add(t.text(msg.SlipPlace), place(t, s), false)
	if line := b.recordLine(ctx, t, partner); line != "" {
		add(t.text(msg.RecordTitle), line, false)
	}
	reply := private(note)
	reply.cards = []*discord.Card{e}
	if len(waiting) > 0 {
		line := discord.Clip(strings.ReplaceAll(lineForGame(t, s, totals), "`", "'"), slipCopySize)
		add(t.text(msg.SlipLine), discord.Markdown("```\n"+line+"\n```"), false)
		reply.rows = append(reply.rows, row(metForAll(t, partner, waiting)))
	} else {
		reply.text = joined(note, t.text(msg.SlipAnswered))
	}
	buttons := []discordgo.MessageComponent{}
	if s.CanSayPlace {
		buttons = append(buttons, button(discord.NewCustomID("slip-place", partner), discordgo.SecondaryButton, t.plain(msg.SlipSayPlace)))
	}
	buttons = append(buttons,
		button(discord.NewCustomID("slip-name", partner), discordgo.SecondaryButton, t.plain(msg.SlipSayName)),
		button(discord.NewCustomID("slip-again", partner), discordgo.SecondaryButton, t.plain(msg.ListRefresh)))
	reply.rows = append(reply.rows, row(append(buttons, webLink(address, t.plain(msg.OpenWeb))...)...))
	return reply, nil
}

// metForAll is the button by which the reader says that they met for all that waits. It carries what they have seen: the latest sale, and
// how many.
func metForAll(t translator, partner core.UserID, waiting []core.Handover) discordgo.MessageComponent {
	var last core.SaleID
	shown := 0
	for _, h := range waiting {
		last, shown = max(last, h.Sale), shown+int(h.Sale)
	}
	label := t.plain(msg.WeMet)
	if len(waiting) > 1 {
		label = t.plain(msg.WeMetAll, len(waiting))
	}
	return button(discord.NewCustomID("slip-met", partner, last, len(waiting)).At(shown), discordgo.SuccessButton, label)
}

// slipLines lists the first handovers of a slip, each with its state.
func (b tradesBot) slipLines(t translator, s core.Slip) (text discord.Markdown) {
	for _, line := range s.Lines[:min(len(s.Lines), slipLinesShown)] {
		h, key := line.Handover, msg.SlipSells
		if h.SideOf(s.Own.User) == core.BuyerSide {
			key = msg.SlipBuys
		}
		what := t.text(key, discord.ClipMarkdown(t.text(msg.OfferTitle, h.Quantity, h.ItemName), slipLineSize))
		text = joined(text, what+" · "+t.text(msg.ReceiptSum, h.Quantity, h.UnitPrice, h.Total())+" · "+b.handoverStatus(t, h, s.Own.User))
	}
	return text
}

// brings lists what one of the two brings: items, and coins.
func brings(t translator, items []core.ItemSum, coins *big.Int) (text discord.Markdown) {
	for i, item := range items {
		if i == slipItemsShown {
			text = joined(text, t.text(msg.AndMore, len(items)-i))
			break
		}
		text = joined(text, discord.ClipMarkdown(t.text(msg.OfferTitle, item.Quantity, item.ItemName), slipItemSize))
	}
	if coins.Sign() > 0 {
		text = joined(text, t.sum(coins))
	}
	return text
}

// sum is money of any amount.
func (t translator) sum(amount *big.Int) discord.Markdown {
	if amount.IsInt64() {
		return t.coins(core.Copper(amount.Int64()))
	}
	return "**" + discord.Escape(t.game.PrintSum(amount, t.Count)) + "**"
}

// net says who pays in the end, where both pay something.
func net(t translator, totals core.SlipTotals) discord.Markdown {
	net := totals.Net()
	switch {
	case totals.Pay.Sign() == 0 || totals.Earn.Sign() == 0:
		return ""
	case net.Sign() == 0:
		return t.text(msg.SlipEven)
	case net.Sign() > 0:
		return t.text(msg.SlipNetPay, t.sum(net))
	}
	return t.text(msg.SlipNetGet, t.sum(new(big.Int).Neg(net)))
}

func inGame(t translator, p core.SlipParty) discord.Markdown {
	if len(p.InGameNames) == 0 {
		return t.text(msg.SlipNoName)
	}
	names := discord.ClipMarkdown(discord.Escape(strings.Join(p.InGameNames, ", ")), slipNamesSize)
	return t.marked(t.text(msg.InGame, names), p.LookAlike)
}

func place(t translator, s core.Slip) discord.Markdown {
	switch p := s.Place; {
	case p.Text == "":
		return t.text(msg.SlipNoPlace)
	case p.SaidBy == s.Own.User:
		return t.text(msg.SlipPlaceYours, p.Text)
	default:
		return t.text(msg.SlipPlaceTheirs, p.Text, s.Partner.Account.DisplayName)
	}
}

// lineForGame is what the reader says in the game: who they are, what each brings, and where.
func lineForGame(t translator, s core.Slip, totals core.SlipTotals) string {
	net := totals.Net()
	line := t.plain(msg.SlipHi, partyInGame(s.Partner), partyInGame(s.Own))
	if mine := named(t, totals.Bring, net); mine != "" {
		line += " " + t.plain(msg.SlipIBring, mine)
	}
	if theirs := named(t, totals.Get, new(big.Int).Neg(net)); theirs != "" {
		line += " " + t.plain(msg.SlipYouBring, theirs)
	}
	if s.Place.Text != "" {
		return line + " " + t.plain(msg.SlipMeetAt, s.Place.Text)
	}
	return line + " " + t.plain(msg.SlipWhere)
}

func partyInGame(p core.SlipParty) string {
	if len(p.InGameNames) > 0 {
		return p.InGameNames[0]
	}
	return p.Account.DisplayName
}

// named lists items and, above zero, coins in a few words.
func named(t translator, items []core.ItemSum, coins *big.Int) string {
	var parts []string
	for i, item := range items {
		if i == slipItemsNamed {
			parts = append(parts, t.plain(msg.AndMore, len(items)-i))
			break
		}
		parts = append(parts, t.plain(msg.OfferTitle, item.Quantity, item.ItemName))
	}
	if coins.Sign() > 0 {
		parts = append(parts, t.game.PrintSum(coins, t.Count))
	}
	return strings.Join(parts, ", ")
}

// slipMet says that the actor met for all that the message showed. What came since is left out, and shown first.
func (b tradesBot) slipMet(ctx context.Context, in Input) (Reply, error) {
	partner, last, count := core.UserID(in.id.Number(0)), core.SaleID(in.id.Number(1)), int(in.id.Number(2))
	view := slipView(partner)
	s, err := b.market.Slip(ctx, in.Actor, partner)
	if core.KindOf(err) == core.NotFound { // pressed again, and all is settled by now
		return b.redraw(ctx, in, view, in.tr.text(msg.HandoverAnswered))
	}
	if err != nil {
		return Reply{}, err
	}
	var sales []core.SaleID
	waiting := slices.DeleteFunc(s.Waiting(b.now()), func(h core.Handover) bool { return h.Sale > last })
	for _, h := range waiting {
		sales = append(sales, h.Sale)
	}
	switch {
	case len(sales) == 0:
		return b.redraw(ctx, in, view, in.tr.text(msg.HandoverAnswered))
	case len(sales) > count: // not all of them were shown
		return b.redraw(ctx, in, view, in.tr.text(msg.SlipChanged))
	}
	said, err := b.market.SayHandovers(ctx, in.Actor, sales, core.SaidMet)
	var failed *core.Error
	if errors.As(err, &failed) && len(failed.Fields) > 0 && !core.KeyReused(err) {
		return b.redraw(ctx, in, view, slipErrors(in.tr, failed, waiting))
	}
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, saidNote(in.tr, said[0], in.Actor.UserID))
}

var saleOfField = regexp.MustCompile(`^sales\[(\d+)\]$`)

// slipErrors says why nothing was saved, by line.
func slipErrors(t translator, failed *core.Error, asked []core.Handover) discord.Markdown {
	text := t.text(msg.SlipNotSaved)
	for i, field := range failed.Fields {
		if i == slipItemsShown {
			return joined(text, t.text(msg.AndMore, len(failed.Fields)-i))
		}
		why := discord.Escape(t.core(field.Text))
		if m := saleOfField.FindStringSubmatch(field.Field); m != nil {
			if place, _ := strconv.Atoi(m[1]); 1 <= place && place <= len(asked) {
				h := asked[place-1]
				why = discord.ClipMarkdown(t.text(msg.OfferTitle, h.Quantity, h.ItemName), slipLineSize) + ": " + why
			}
		}
		text = joined(text, "- "+why)
	}
	return text
}

// slipPlaceForm asks where the two meet.
func (b tradesBot) slipPlaceForm(ctx context.Context, in Input) (Reply, error) {
	partner := core.UserID(in.id.Number(0))
	s, err := b.market.Slip(ctx, in.Actor, partner)
	if err != nil {
		return Reply{}, err
	}
	return Reply{form: &discord.Modal{
		ID: discord.NewCustomID("slip-placed", partner).OpenedBy(in.i), Title: in.tr.plain(msg.SlipPlace),
		Fields: []discord.Field{{
			Name: "place", Label: in.tr.plain(msg.SlipPlaceLabel), Value: s.Place.Text, Optional: true, MaxLength: core.MaxMeetingPlace,
		}},
	}}, nil
}

func (b tradesBot) slipPlaced(ctx context.Context, in Input) (Reply, error) {
	partner := core.UserID(in.id.Number(0))
	if err := b.market.SetMeetingPlace(ctx, in.Actor, partner, in.text("place")); err != nil {
		return b.errorOn(ctx, in, slipView(partner), err)
	}
	return b.redraw(ctx, in, slipView(partner), in.tr.text(msg.SlipPlaceSaved))
}

// slipNameForm asks how the actor is called in the game.
func (b tradesBot) slipNameForm(ctx context.Context, in Input) (Reply, error) {
	partner := core.UserID(in.id.Number(0))
	s, err := b.market.Slip(ctx, in.Actor, partner)
	if err != nil {
		return Reply{}, err
	}
	now := ""
	if len(s.Own.InGameNames) > 0 {
		now = s.Own.InGameNames[0]
	}
	return Reply{form: &discord.Modal{
		ID: discord.NewCustomID("slip-named", partner).OpenedBy(in.i), Title: in.tr.plain(msg.SlipSayName),
		Fields: []discord.Field{{Name: "name", Label: in.tr.plain(msg.FieldInGame), Value: now, Optional: true, MaxLength: core.MaxInGameName}},
	}}, nil
}

func (b tradesBot) slipNamed(ctx context.Context, in Input) (Reply, error) {
	partner := core.UserID(in.id.Number(0))
	name, err := b.market.SetInGameName(ctx, in.Actor, in.text("name"))
	if err != nil {
		return b.errorOn(ctx, in, slipView(partner), err)
	}
	return b.redraw(ctx, in, slipView(partner), nameSaved(in.tr, name))
}

// slipOf is a button to the slip with the other side of a handover; none once they have left.
func slipOf(t translator, h core.Handover, reader core.UserID) []discordgo.MessageComponent {
	partner := h.On(h.SideOf(reader).Other()).User
	if partner == 0 {
		return nil
	}
	return []discordgo.MessageComponent{button(discord.NewCustomID("slip", partner), discordgo.SecondaryButton, t.plain(msg.SlipButton))}
}
