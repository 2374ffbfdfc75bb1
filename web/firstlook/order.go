package firstlook

import (
	"html/template"
	"slices"
	"strings"

	"tradepost/core/game"
	"tradepost/core/trade"
)

// card is an order as dashboard/src/features/orders/card/OrderCard.tsx draws it for a visitor.
type card struct {
	order
	Priority    string // high or urgent; empty for the others
	Icon        string
	Level       string // empty for any
	Importance  string
	Each, Total amount
	Left, Of    template.HTML
	SoldText    template.HTML // empty before anything was sold
	Tone        string
	Posted      moment
	Expires     *moment // in its last days
}

// soonDays is how early a card says when its request expires.
const soonDays = 30

func (d drawing) cards(orders []order) []card {
	cards := make([]card, min(len(orders), Cards))
	for i := range cards {
		cards[i] = d.card(orders[i])
	}
	return cards
}

func (d drawing) card(o order) card {
	c := card{
		order: o, Icon: d.iconOf(o.Category), Importance: d.Choices[string(o.Importance)],
		Each: d.amount(o.MaxPricePerUnit), Total: d.amount(o.TotalValue),
		Left: d.number(o.Quantity - o.Sold), Of: d.number(o.Quantity), Tone: tone(o.Progress),
		Posted: d.day(o.CreatedAt),
	}
	if o.Importance == game.High || o.Importance == game.Urgent {
		c.Priority = string(o.Importance)
	}
	if o.LevelRequirement != nil {
		c.Level = itoa(*o.LevelRequirement)
	}
	if o.Sold > 0 {
		c.SoldText = d.number(o.Sold)
	}
	if d.daysUntil(o.ExpiresAt) < soonDays {
		expires := d.day(o.ExpiresAt)
		c.Expires = &expires
	}
	return c
}

// NameAddress is where the name leads: to the item, or to the request where the catalogue does not have the
// item.
func (o order) NameAddress() string {
	if o.ItemID == 0 {
		return "/requests/" + itoa(o.ID)
	}
	return "/items/" + itoa(o.ItemID)
}

// detail is a text of an order with its declaration.
type detail struct {
	trade.Field
	Text string
}

// Sign returns the icon that stands for the label of a name; empty for others.
func (d detail) Sign() string {
	return map[string]string{"buyerContact": "discord", "ign": "user-round"}[d.Name]
}

// Details returns what a card shows with a label.
func (o order) Details() []detail { return o.textsWhere(func(f trade.Field) bool { return f.OnCard }) }

// RowTexts returns what a row shows beside the name.
func (o order) RowTexts() []detail { return o.textsWhere(func(f trade.Field) bool { return f.InRow }) }

func (o order) textsWhere(shown func(trade.Field) bool) (found []detail) {
	for _, f := range trade.Fields {
		if text := o.texts[f.Name]; text != "" && shown(f) {
			found = append(found, detail{f, text})
		}
	}
	return found
}

// LookAlikes returns the order's names that look like an established trader's name, each once.
func (o order) LookAlikes() []string {
	var names []string
	if o.LookAlike != nil && o.LookAlike.Contact && o.BuyerContact != "" {
		names = append(names, o.BuyerContact)
	}
	if o.LookAlike != nil && o.LookAlike.Name && o.IGN != "" && !slices.Contains(names, o.IGN) {
		names = append(names, o.IGN)
	}
	return names
}

// bar is the data of a progress bar.
type bar struct {
	ItemName, Tone, Class string
	Progress              int
}

func (c card) Bar(class string) bar { return bar{c.ItemName, c.Tone, class, c.Progress} }

// leastShown is the least part of a bar that can be seen.
const leastShown = 6

// Hidden is how much of the bar is not filled, in percent.
func (b bar) Hidden() int {
	if b.Progress == 0 {
		return 100
	}
	return 100 - max(b.Progress, leastShown)
}

// tone is the colour of a progress bar.
func tone(progress int) string {
	switch {
	case progress >= 70:
		return "good"
	case progress >= 40:
		return "fair"
	}
	return "poor"
}

// The classes of dashboard/src/components/ui/button.tsx and tag.tsx.

func button(variant, size string) string {
	return "touch inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap " +
		"rounded-md text-sm font-medium transition-colors [&_svg]:pointer-events-none [&_svg]:size-4 " +
		"[&_svg]:shrink-0 " + buttons[variant] + " " + sizes[size]
}

var (
	buttons = map[string]string{
		"soft": "bg-accent text-accent-foreground hover:bg-primary hover:text-primary-foreground",
		"outline": "border border-input/60 bg-card hover:border-primary hover:bg-accent " +
			"hover:text-accent-foreground",
		"ghost": "hover:bg-muted",
		"solid": "bg-primary text-primary-foreground hover:bg-primary-strong",
		"link":  "text-primary underline decoration-primary/40 underline-offset-4 hover:decoration-primary",
	}
	sizes = map[string]string{"default": "h-10 px-4", "sm": "h-8", "icon": "", "inline": "h-auto p-0",
		"narrow": "h-10 px-3"}
)

func tag(tone string) string {
	return "inline-flex w-fit shrink-0 items-center justify-center gap-1 overflow-hidden whitespace-nowrap " +
		"rounded-sm border px-1.5 text-xs font-medium [&>svg]:pointer-events-none [&_svg]:size-3.5 " +
		"[&_svg]:shrink-0 " + tones[tone]
}

// mark has the classes of a tag with an icon alone.
func mark(tone string) string { return strings.Replace(tag(tone), "px-1.5", "px-1", 1) }

var tones = map[string]string{
	"quiet":   "border-transparent bg-muted text-muted-foreground",
	"accent":  "border-transparent bg-accent text-accent-foreground",
	"outline": "border-border text-muted-foreground",
	"high":    "border-transparent bg-high-soft text-high-foreground",
	"urgent":  "border-transparent bg-urgent-soft text-urgent-foreground",
}
