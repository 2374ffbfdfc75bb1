package match

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// stockFixed puts a line of stock right and shows the preview again.
func (b Match) stockFixed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.LoadDraft(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	in.Fields = maps.Clone(d.Options)
	lines, err := b.Market.Match.ReadStock(ctx, in.Text("lines"))
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, l := range lines {
		if int64(l.Number) == in.ID.Number(1) && l.Fix != nil {
			in.Fields["lines"] = game.ReplaceLine(in.Text("lines"), l.Number, l.Fix.Line(b.Game))
			break
		}
	}
	reply, err := b.stockRead(ctx, in)
	reply.Redraw = true
	return reply, err
}

const (
	stockShown      = 25 // entries in a message; the page shows all
	stockLinesShown = 30 // lines of a preview
	stockNoteShown  = 40 // characters of a note in a line
)

// have saves the actor's stock of an item, or shows all of their stock.
func (b Match) have(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	options := b.WithItemMeant(ctx, in.Options)
	in.Options = options
	if in.Text("item") == "" {
		return b.stock(ctx, in, "")
	}
	named, near, err := b.Market.Items.NameItem(ctx, in.Text("item"))
	if err != nil {
		return kernel.Reply{}, err
	}
	var c core.Checks
	if near != nil {
		c.Add(core.NewFieldError("itemName", core.NewText("stock_line_near", "typed", in.Text("item"),
			"item", near.Name)))
	}
	price, err := b.Game.ParseCopper("price", in.Text("price"))
	if err != nil {
		c.Add(err)
	}
	if err := c.Err(); err != nil {
		return kernel.Reply{}, err
	}
	draft := match.StockDraft{ItemName: in.Text("item"), Quantity: in.Quantity(), Price: price,
		Note: in.Text("note"), Public: in.Yes("public")}
	if named != nil {
		draft.ItemName = named.Name
	}
	present, err := b.Market.Match.Stock(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if before, known := stockNamed(present, draft.ItemName); known { // what is left out stays as it was
		if !in.Has("note") {
			draft.Note = before.Note
		}
		if !in.Has("public") {
			draft.Public = before.Public
		}
		if draft.Public && before.Until.After(b.Now()) {
			draft.Until = before.Until
		}
		draft.SellsDaily = before.SellsDaily
	}
	if in.Has("unasked") {
		draft.SellsDaily, _ = kernel.ParseQuantity(in.Text("unasked"))
		draft.Public = draft.Public || draft.SellsDaily > 0 && !in.Has("public")
	}
	reply, err := b.saveStock(ctx, in, []match.StockDraft{draft})
	if kernel.AsksAboutPrice(err) {
		return b.askAboutStockPrice(ctx, in, err)
	}
	return reply, err
}

func (b Match) saveStock(
	ctx context.Context, in kernel.Input, drafts []match.StockDraft,
) (kernel.Reply, error) {
	stock, err := b.Market.Match.SaveStock(ctx, in.Actor, drafts)
	if err != nil {
		return kernel.Reply{}, err
	}
	return b.stockReply(in, stock, in.Tr.Text(msg.StockSaved, "count", available(stock))), nil
}

// available counts the items of which something is left.
func available(stock []match.Stock) (n int) {
	for _, s := range stock {
		if s.Quantity > 0 {
			n++
		}
	}
	return n
}

// stock shows the actor's stock.
func (b Match) stock(ctx context.Context, in kernel.Input, note discord.Markdown) (kernel.Reply, error) {
	stock, err := b.Market.Match.Stock(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	return b.stockReply(in, stock, note), nil
}

func (b Match) stockReply(in kernel.Input, stock []match.Stock, note discord.Markdown) kernel.Reply {
	reply := kernel.Private(note)
	var list discord.Markdown
	options := make([]discordgo.SelectMenuOption, 0, stockShown)
	for _, s := range stock[:min(len(stock), stockShown)] {
		list = kernel.Joined(list, b.stockLine(in.Tr, s, b.Now()))
		options = append(options, discordgo.SelectMenuOption{Label: in.Tr.Plain(msg.OfferTitle,
			"quantity", s.Quantity,
			"item", s.ItemName), Value: fmt.Sprint(s.ID)})
	}
	if rest := len(stock) - stockShown; rest > 0 {
		list = kernel.Joined(list, in.Tr.Text(msg.AndMore, "count", rest))
	}
	if len(stock) == 0 {
		list = in.Tr.Text(msg.StockEmpty, "example", stockExample(in.Tr.Game))
	}
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.StockTitle)), URL: b.PageURL("/stock"),
		Color: kernel.ColourUsual, Description: string(discord.ClipMarkdown(list, 3900))}}
	buttons := []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("have-form", 0),
		discordgo.PrimaryButton, in.Tr.Plain(msg.StockLines))}
	if len(stock) > 0 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("have-confirm"),
			discordgo.SecondaryButton, in.Tr.Plain(msg.StockAllThere)))
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("have-remove"),
			in.Tr.Plain(msg.StockRemove), options))
	}
	if slices.ContainsFunc(stock, func(s match.Stock) bool { return silent(s, b.Now()) }) {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("have-alerts"), discordgo.SecondaryButton,
			in.Tr.Plain(msg.StockAlertMe)))
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(buttons,
		kernel.WebLink(b.PageURL("/stock"), in.Tr.Plain(msg.OpenWeb))...)...))
	return reply
}

// stockExample is a line as it is pasted.
func stockExample(game game.Game) string { return "Iron Ore 600 " + commands.FewCoins(game) }

// stockLine is an entry of one's stock in one line.
func (b Match) stockLine(t kernel.Translator, s match.Stock, now time.Time) discord.Markdown {
	listed := b.Features.Listings && s.Public
	price := t.Text(msg.StockAtLeast, "price", s.Price)
	if listed {
		price = t.Text(msg.StockForSale, "price", s.Price)
	}
	line := "**" + t.Text(msg.OfferTitle, "quantity", s.Quantity,
		"item", discord.Clip(s.ItemName, kernel.StockNameShown)) + "** · " + price
	if s.Quantity == 0 {
		line = "~~" + line + "~~ · " + t.Text(msg.StockNoneLeft)
	}
	seen := msg.StockPrivate
	if s.Public {
		seen = msg.StockPublic
	}
	if !listed {
		line += " · " + t.Text(seen)
	} else if !s.Until.IsZero() {
		line += " · " + t.Text(msg.GoodUntil, "date", kernel.Moment(s.Until),
			"time", kernel.Timestamp(s.Until))
	}
	if b.Features.Crossing && s.SellsDaily > 0 {
		line += " · " + t.Text(msg.StockSellsDaily, "quantity", s.SellsDaily)
	}
	if s.Note != "" {
		line += " · " + discord.Escape(discord.Clip(s.Note, stockNoteShown))
	}
	switch {
	case !s.AlertsOffAt.IsZero():
		line += " · " + t.Text(msg.StockAlertsOff)
	case s.SnoozedUntil.After(now):
		line += " · " + t.Text(msg.WatchStateSnoozed, "time", kernel.Moment(s.SnoozedUntil))
	}
	if !s.AskedAt.IsZero() {
		line += " · " + t.Text(msg.StockEnds, "time", kernel.Timestamp(s.TouchedAt.Add(match.StockLifetime)))
	}
	return line
}

// stockButton shows the actor's stock, below a message.
func (b Match) stockButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.stock(ctx, in, "")
}

// stockConfirmed confirms that all of the stock is still there.
func (b Match) stockConfirmed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	many, err := b.Market.Match.ConfirmStock(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.stock(ctx, in, in.Tr.Text(msg.StockConfirmed, "count", many))
	reply.Redraw = !in.Interaction.OnDirectMessage()
	return reply, err
}

// stockRemoved removes the entry that was picked.
func (b Match) stockRemoved(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Match.DeleteStock(ctx, in.Actor, core.StockID(in.Picked())); err != nil &&
		core.KindOf(err) != core.NotFound {
		return kernel.Reply{}, err
	}
	reply, err := b.stock(ctx, in, in.Tr.Text(msg.StockRemoved))
	reply.Redraw = true
	return reply, err
}

// stockForm asks for lines, with the lines of a draft.
func (b Match) stockForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.Begun(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("have-read"),
		Title: in.Tr.Plain(msg.StockForm), Fields: []discord.Field{
			{Name: "lines", Label: in.Tr.Plain(msg.FieldStock),
				Hint: in.Tr.Plain(msg.HintStock,
					"example", stockExample(in.Tr.Game)), Value: d.Options["lines"],
				Long: true, MaxLength: 4000},
		}}}, nil
}

// stockRead shows the items that it reads from lines. Nothing is saved before the user confirms.
func (b Match) stockRead(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	lines, err := b.Market.Match.ReadStock(ctx, in.Text("lines"))
	if err != nil {
		return kernel.Reply{}, err
	}
	id, err := b.Keep(ctx, in, kernel.Draft{Options: in.Fields})
	if err != nil {
		return kernel.Reply{}, err
	}
	understood := 0
	var list discord.Markdown
	var fixes []discordgo.MessageComponent
	for i, l := range lines {
		if l.Understood() {
			understood++
		}
		if l.Fix != nil && len(fixes) < kernel.LineFixesShown {
			fixes = append(fixes, in.Tr.FixButton("have-fix", id, l.Number, *l.Fix))
		}
		if i < stockLinesShown {
			list = kernel.Joined(list, stockLineRead(in.Tr, l))
		}
	}
	if rest := len(lines) - stockLinesShown; rest > 0 {
		list = kernel.Joined(list, in.Tr.Text(msg.AndMore, "count", rest))
	}
	reply := kernel.Private(in.Tr.Text(msg.StockPreview, "understood", understood, "lines", len(lines)))
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.StockForm)), Color: kernel.ColourUsual,
		Description: string(discord.ClipMarkdown(list, 3900))}}
	if len(fixes) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(fixes...))
	}
	var buttons []discordgo.MessageComponent
	if understood > 0 {
		buttons = append(buttons,
			kernel.Button(discord.NewCustomID("have-save", id, 1), discordgo.SuccessButton,
				in.Tr.Plain(msg.StockSavePublic)),
			kernel.Button(discord.NewCustomID("have-save", id, 0), discordgo.PrimaryButton,
				in.Tr.Plain(msg.StockSavePrivate)))
	}
	buttons = append(buttons,
		kernel.Button(discord.NewCustomID("have-form", id), discordgo.SecondaryButton,
			in.Tr.Plain(msg.StockChange)),
		kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.Tr.Plain(msg.Cancel)))
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}

// stockLineRead is a line of a preview.
func stockLineRead(t kernel.Translator, l match.StockLine) discord.Markdown {
	if !l.Understood() {
		return "⚠️ " + discord.Escape(discord.Clip(l.Text, kernel.StockNameShown)) + " · " +
			discord.Escape(t.Core(l.Why))
	}
	return "✅ **" + t.Text(msg.OfferTitle, "quantity", l.Draft.Quantity,
		"item", discord.Clip(l.Draft.ItemName, kernel.StockNameShown)) + "** · " + t.Text(msg.StockAtLeast,
		"price", l.Draft.Price)
}

// stockSaved saves the lines of a draft that were understood.
func (b Match) stockSaved(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, public := in.ID.Number(0), in.ID.Number(1) == 1
	d, err := b.LoadDraft(ctx, in, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	lines, err := b.Market.Match.ReadStock(ctx, d.Options["lines"])
	if err != nil {
		return kernel.Reply{}, err
	}
	present, err := b.Market.Match.Stock(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	var drafts []match.StockDraft
	for _, l := range lines {
		if l.Understood() {
			before, _ := stockNamed(present, l.Draft.ItemName)
			l.Draft.Public, l.Draft.Note = public, before.Note // a line has none
			drafts = append(drafts, l.Draft)
		}
	}
	in.Actor.PriceConfirmed = in.ID.Number(2) == kernel.Confirmed
	reply, err := b.saveStock(ctx, in.Repeated(id, fmt.Sprint("stock-", public)), drafts)
	if kernel.AsksAboutPrice(err) {
		reply, err = in.Tr.ListErrors(msg.ListUnusual, err), nil
		reply.Rows = append(reply.Rows, kernel.Row(
			kernel.Button(discord.NewCustomID("have-save", id, in.ID.Number(1), kernel.Confirmed),
				discordgo.DangerButton, in.Tr.Plain(msg.SaveAnyway)),
			kernel.Button(discord.NewCustomID("have-form", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.StockChange)),
			kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.Cancel)),
		))
	}
	reply.Redraw = true
	return reply, err
}

// stockNamed finds an item in stock by its name.
func stockNamed(stock []match.Stock, itemName string) (match.Stock, bool) {
	i := slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == itemName })
	if i < 0 {
		return match.Stock{}, false
	}
	return stock[i], true
}
