package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const (
	stockShown      = 25 // entries in a message; the page shows all
	stockLinesShown = 30 // lines of a preview
	stockNoteShown  = 40 // characters of a note in a line
)

// stockNameShown is how many characters of a name a line has.
const stockNameShown = 60

// have says what the actor has of an item, or shows their stock.
func (b matchBot) have(ctx context.Context, in Input) (Reply, error) {
	options := b.withItemMeant(ctx, in.options)
	in.options = options
	if in.text("item") == "" {
		return b.stock(ctx, in, "")
	}
	named, near, err := b.market.NameItem(ctx, in.text("item"))
	if err != nil {
		return Reply{}, err
	}
	var c core.Checks
	if near != nil {
		c.Add(core.NewFieldError("itemName", core.NewText("stock_line_near", "No item is called %s. Did you mean %s?", in.text("item"), near.Name)))
	}
	price, err := b.game.ParseCopper("price", in.text("price"))
	if err != nil {
		c.Add(err)
	}
	if err := c.Err(); err != nil {
		return Reply{}, err
	}
	draft := core.StockDraft{ItemName: in.text("item"), Quantity: in.quantity(), Price: price, Note: in.text("note"), Public: in.yes("public")}
	if named != nil {
		draft.ItemName = named.Name
	}
	present, err := b.market.Stock(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	if before, known := stockNamed(present, draft.ItemName); known { // what is left out stays as it was
		if !in.has("note") {
			draft.Note = before.Note
		}
		if !in.has("public") {
			draft.Public = before.Public
		}
	}
	reply, err := b.saveStock(ctx, in, []core.StockDraft{draft})
	if asksAboutPrice(err) {
		return b.askAboutStockPrice(ctx, in, err)
	}
	return reply, err
}

func (b matchBot) saveStock(ctx context.Context, in Input, drafts []core.StockDraft) (Reply, error) {
	stock, err := b.market.SaveStock(ctx, in.Actor, drafts)
	if err != nil {
		return Reply{}, err
	}
	return b.stockReply(in, stock, in.tr.text(msg.StockSaved, available(stock))), nil
}

// available counts the items of which something is left.
func available(stock []core.Stock) (n int) {
	for _, s := range stock {
		if s.Quantity > 0 {
			n++
		}
	}
	return n
}

// stock shows the actor's stock.
func (b matchBot) stock(ctx context.Context, in Input, note discord.Markdown) (Reply, error) {
	stock, err := b.market.Stock(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	return b.stockReply(in, stock, note), nil
}

func (b matchBot) stockReply(in Input, stock []core.Stock, note discord.Markdown) Reply {
	reply := private(note)
	var list discord.Markdown
	options := make([]discordgo.SelectMenuOption, 0, stockShown)
	for _, s := range stock[:min(len(stock), stockShown)] {
		list = joined(list, stockLine(in.tr, s, b.now()))
		options = append(options, discordgo.SelectMenuOption{Label: in.tr.plain(msg.OfferTitle, s.Quantity, s.ItemName), Value: fmt.Sprint(s.ID)})
	}
	if rest := len(stock) - stockShown; rest > 0 {
		list = joined(list, in.tr.text(msg.AndMore, rest))
	}
	if len(stock) == 0 {
		list = in.tr.text(msg.StockEmpty, stockExample(in.tr.game))
	}
	reply.cards = []*discord.Card{{Title: string(in.tr.text(msg.StockTitle)), URL: b.pageURL("/stock"), Color: colourUsual, Description: string(discord.ClipMarkdown(list, 3900))}}
	buttons := []discordgo.MessageComponent{button(discord.NewCustomID("have-form", 0), discordgo.PrimaryButton, in.tr.plain(msg.StockLines))}
	if len(stock) > 0 {
		buttons = append(buttons, button(discord.NewCustomID("have-confirm"), discordgo.SecondaryButton, in.tr.plain(msg.StockAllThere)))
		reply.rows = append(reply.rows, choose(discord.NewCustomID("have-remove"), in.tr.plain(msg.StockRemove), options))
	}
	if slices.ContainsFunc(stock, func(s core.Stock) bool { return silent(s, b.now()) }) {
		buttons = append(buttons, button(discord.NewCustomID("have-alerts"), discordgo.SecondaryButton, in.tr.plain(msg.StockAlertMe)))
	}
	reply.rows = append(reply.rows, row(append(buttons, webLink(b.pageURL("/stock"), in.tr.plain(msg.OpenWeb))...)...))
	return reply
}

// stockExample is a line as it is pasted.
func stockExample(game core.Game) string { return "Iron Ore 600 " + fewCoins(game) }

// stockLine is an entry of one's stock in one line.
func stockLine(t translator, s core.Stock, now time.Time) discord.Markdown {
	line := "**" + t.text(msg.OfferTitle, s.Quantity, discord.Clip(s.ItemName, stockNameShown)) + "** · " + t.text(msg.StockAtLeast, s.Price)
	if s.Quantity == 0 {
		line = "~~" + line + "~~ · " + t.text(msg.StockNoneLeft)
	}
	seen := msg.StockPrivate
	if s.Public {
		seen = msg.StockPublic
	}
	line += " · " + t.text(seen)
	if s.Note != "" {
		line += " · " + discord.Escape(discord.Clip(s.Note, stockNoteShown))
	}
	switch {
	case !s.AlertsOffAt.IsZero():
		line += " · " + t.text(msg.StockAlertsOff)
	case s.SnoozedUntil.After(now):
		line += " · " + t.text(msg.WatchStateSnoozed, moment(s.SnoozedUntil))
	}
	if !s.AskedAt.IsZero() {
		line += " · " + t.text(msg.StockEnds, timestamp(s.TouchedAt.Add(core.StockLifetime)))
	}
	return line
}

// stockButton shows the actor's stock, below a message.
func (b matchBot) stockButton(ctx context.Context, in Input) (Reply, error) {
	return b.stock(ctx, in, "")
}

// stockConfirmed says that all of it is still there.
func (b matchBot) stockConfirmed(ctx context.Context, in Input) (Reply, error) {
	many, err := b.market.ConfirmStock(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	reply, err := b.stock(ctx, in, in.tr.text(msg.StockConfirmed, many))
	reply.redraw = !in.i.OnDirectMessage()
	return reply, err
}

// stockRemoved removes the entry that was picked.
func (b matchBot) stockRemoved(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.DeleteStock(ctx, in.Actor, core.StockID(in.picked())); err != nil && core.KindOf(err) != core.NotFound {
		return Reply{}, err
	}
	reply, err := b.stock(ctx, in, in.tr.text(msg.StockRemoved))
	reply.redraw = true
	return reply, err
}

// stockForm asks for lines, with those of a draft.
func (b matchBot) stockForm(ctx context.Context, in Input) (Reply, error) {
	d, err := b.begun(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("have-read"), Title: in.tr.plain(msg.StockForm), Fields: []discord.Field{
		{Name: "lines", Label: in.tr.plain(msg.FieldStock), Hint: in.tr.plain(msg.HintStock, stockExample(in.tr.game)), Value: d.Options["lines"], Long: true, MaxLength: 4000},
	}}}, nil
}

// stockRead shows what is understood of lines. Nothing is saved before the user says so.
func (b matchBot) stockRead(ctx context.Context, in Input) (Reply, error) {
	lines, err := b.market.ReadStock(ctx, in.text("lines"))
	if err != nil {
		return Reply{}, err
	}
	id, err := b.keep(ctx, in, draft{Options: in.fields})
	if err != nil {
		return Reply{}, err
	}
	understood := 0
	var list discord.Markdown
	var fixes []discordgo.MessageComponent
	for i, l := range lines {
		if l.Understood() {
			understood++
		}
		if l.Fix != nil && len(fixes) < lineFixesShown {
			fixes = append(fixes, in.tr.fixButton("have-fix", id, l.Number, *l.Fix))
		}
		if i < stockLinesShown {
			list = joined(list, stockLineRead(in.tr, l))
		}
	}
	if rest := len(lines) - stockLinesShown; rest > 0 {
		list = joined(list, in.tr.text(msg.AndMore, rest))
	}
	reply := private(in.tr.text(msg.StockPreview, understood, len(lines)))
	reply.cards = []*discord.Card{{Title: string(in.tr.text(msg.StockForm)), Color: colourUsual, Description: string(discord.ClipMarkdown(list, 3900))}}
	if len(fixes) > 0 {
		reply.rows = append(reply.rows, row(fixes...))
	}
	var buttons []discordgo.MessageComponent
	if understood > 0 {
		buttons = append(buttons,
			button(discord.NewCustomID("have-save", id, 1), discordgo.SuccessButton, in.tr.plain(msg.StockSavePublic)),
			button(discord.NewCustomID("have-save", id, 0), discordgo.PrimaryButton, in.tr.plain(msg.StockSavePrivate)))
	}
	buttons = append(buttons,
		button(discord.NewCustomID("have-form", id), discordgo.SecondaryButton, in.tr.plain(msg.StockChange)),
		button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel)))
	reply.rows = append(reply.rows, row(buttons...))
	return reply, nil
}

// stockLineRead is a line of a preview.
func stockLineRead(t translator, l core.StockLine) discord.Markdown {
	if !l.Understood() {
		return "⚠️ " + discord.Escape(discord.Clip(l.Text, stockNameShown)) + " · " + discord.Escape(t.core(l.Why))
	}
	return "✅ **" + t.text(msg.OfferTitle, l.Draft.Quantity, discord.Clip(l.Draft.ItemName, stockNameShown)) + "** · " + t.text(msg.StockAtLeast, l.Draft.Price)
}

// stockSaved saves the lines of a draft that were understood.
func (b matchBot) stockSaved(ctx context.Context, in Input) (Reply, error) {
	id, public := in.id.Number(0), in.id.Number(1) == 1
	d, err := b.loadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	lines, err := b.market.ReadStock(ctx, d.Options["lines"])
	if err != nil {
		return Reply{}, err
	}
	present, err := b.market.Stock(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	var drafts []core.StockDraft
	for _, l := range lines {
		if l.Understood() {
			before, _ := stockNamed(present, l.Draft.ItemName)
			l.Draft.Public, l.Draft.Note = public, before.Note // a line has none
			drafts = append(drafts, l.Draft)
		}
	}
	in.Actor.PriceConfirmed = in.id.Number(2) == confirmed
	reply, err := b.saveStock(ctx, in.repeated(id, fmt.Sprint("stock-", public)), drafts)
	if asksAboutPrice(err) {
		reply, err = in.tr.listErrors(msg.ListUnusual, err), nil
		reply.rows = append(reply.rows, row(
			button(discord.NewCustomID("have-save", id, in.id.Number(1), confirmed), discordgo.DangerButton, in.tr.plain(msg.SaveAnyway)),
			button(discord.NewCustomID("have-form", id), discordgo.SecondaryButton, in.tr.plain(msg.StockChange)),
			button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel)),
		))
	}
	reply.redraw = true
	return reply, err
}

// stockNamed finds an item in stock by its name.
func stockNamed(stock []core.Stock, itemName string) (core.Stock, bool) {
	i := slices.IndexFunc(stock, func(s core.Stock) bool { return s.ItemName == itemName })
	if i < 0 {
		return core.Stock{}, false
	}
	return stock[i], true
}

// stockButtons ask whether stock is still there.
func stockButtons(t translator, address string) []discordgo.MessageComponent {
	return append([]discordgo.MessageComponent{
		button(discord.NewCustomID("have-confirm"), discordgo.PrimaryButton, t.plain(msg.StockStillThere)),
		button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, t.plain(msg.StockTitle)),
	}, webLink(address, t.plain(msg.OpenWeb))...)
}

// withStock adds the commands of stock.
func withStock(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		if c.Name == "board" {
			c.Options = append(c.Options, sub("wanted", yes("on", required)))
		}
	}
	return append(tree, alone("have",
		text("item", core.MaxItemName, suggested),
		number("quantity", 1, core.MaxQuantity),
		text("price", maxPriceText),
		text("note", core.MaxStockNote),
		yes("public"),
	), alone("fill"))
}
