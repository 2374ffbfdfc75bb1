package firstlook

import "tradepost/core"

// place has the part of a page that its document shows until the page is there: the heading, and the sentence
// that says what to do. The page shows the same: the browser would take a larger text that came later for the
// page's main content.
type place struct {
	Title, Line string // keys of texts
	Width       string // the class of the page's width
	Tabs        bool   // above it are the parts of its place
	Named       bool   // its title is the name of a thing; see NameMark
}

// NameMark is where the HTML of a page has the name of what it shows.
const NameMark = "\uE000" // for private use: in no text of ours

// ItemPage is the address of every page of an item.
const ItemPage = "/items/{id}"

// The addresses of the board's other sides. Their requests and listings come with the scripts.
const (
	SalePage = "/?side=sale"
	BothPage = "/?side=both"
)

const (
	textWidth  = "mx-auto max-w-3xl"
	tableWidth = "mx-auto max-w-5xl"
)

// placesOf returns the pages of a market whose heading is the same for everybody, by their addresses, as
// dashboard/src/app/pages has them.
func placesOf(features core.Features) map[string]place {
	const wide = textWidth + " xl:max-w-none"
	saved := "pages_saved_line_plain"
	if features.Watches {
		saved = "pages_saved_line"
	}
	places := map[string]place{
		"/mine":           {"common_my_requests", "pages_mine_line", "", true, false},
		"/mine/offers":    {"", "offers_best_first", "", true, false},
		"/completed":      {"common_completed", "pages_completed_line", "", false, false},
		"/selling":        {"pages_for_me_title", "pages_for_me_line", wide, true, false},
		"/selling/offers": {"common_my_offers", "pages_my_offers_line", wide, true, false},
		"/selling/saved":  {"common_saved_searches", saved, wide, true, false},
		"/selling/stock":  {"common_my_stock", "pages_stock_line", wide, true, false},
		"/trades":         {"common_my_trades", "pages_my_trades_line", tableWidth, false, false},
		"/items":          {"common_items", "pages_items_line", tableWidth, true, false},
		ItemPage:          {"", "pages_item_line", "", false, true},
		"/items/wanted":   {"common_wanted", "pages_wanted_line", textWidth, true, false},
		"/inbox":          {"common_inbox", "pages_inbox_line", textWidth, false, false},
		"/offer":          {"app_device_offers", "pages_device_offers_line", textWidth, false, false},
		"/moderation":     {"common_moderation", "pages_mod_line", textWidth, false, false},
		"/operation":      {"common_operation", "operation_line", textWidth, false, false},
	}
	if features.Listings {
		places[SalePage] = place{"listings_for_sale", "listings_loading", "", false, false}
		places[BothPage] = place{"listings_both_list", "listings_loading", "", false, false}
	}
	return places
}

// onBoard reports whether an address is a side of the board.
func onBoard(address string) bool { return address == SalePage || address == BothPage }

// Places lists the addresses of the pages that a document shows the heading of.
func Places(features core.Features) (addresses []string) {
	for address := range placesOf(features) {
		addresses = append(addresses, address)
	}
	return addresses
}
