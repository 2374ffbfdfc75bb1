package feeds

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// Elements of Atom (RFC 4287).
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Lang    string      `xml:"xml:lang,attr"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Author  string      `xml:"author>name"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID        string     `xml:"id"`
		Title     string     `xml:"title"`
		Published string     `xml:"published"`
		Updated   string     `xml:"updated"`
		Links     []atomLink `xml:"link"`
		Category  struct {
			Term string `xml:"term,attr"`
		} `xml:"category"`
		Summary string `xml:"summary"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
)

// entryID returns the id of a request's entry (RFC 4151). It stays the same whatever becomes of the request.
func (f *Feeds) entryID(o trade.Order) string {
	return fmt.Sprintf("tag:%s,2026:requests/%d", f.Public.Hostname(), o.ID)
}

// writeAtom writes a feed for readers, in the market's own language: who reads it is not known.
func (f *Feeds) writeAtom(body *bytes.Buffer, list feed) error {
	t := text.For(f.Languages.First())
	money := func(c core.Copper) string { return f.Game.Print(c, t.Count) }
	out := atomFeed{Lang: t.Name, ID: list.self, Title: list.title, Author: f.site, Links: []atomLink{
		{"self", "application/atom+xml", list.self}, {"alternate", "text/html", list.page}}}
	var updated time.Time // of the latest entry: the same feed has the same ETag
	for _, o := range list.orders {
		entry := atomEntry{
			ID: f.entryID(o), Title: fmt.Sprintf("%s × %s", t.Number(o.Quantity), o.ItemName),
			Published: o.CreatedAt.UTC().Format(time.RFC3339),
			Updated:   o.UpdatedAt.UTC().Format(time.RFC3339),
			Links:     []atomLink{{"alternate", "text/html", kernel.RequestURL(f.Kernel, o.ID)}},
			Summary: t.Page("preview_request", "price", money(o.MaxPrice), "left", o.Remaining(),
				"quantity", o.Quantity, "total", money(o.RemainingValue())),
		}
		entry.Category.Term = string(o.Category)
		out.Entries = append(out.Entries, entry)
		if o.UpdatedAt.After(updated) {
			updated = o.UpdatedAt
		}
	}
	if updated.IsZero() {
		updated = time.Unix(0, 0)
	}
	out.Updated = updated.UTC().Format(time.RFC3339)
	body.WriteString(xml.Header)
	encoder := xml.NewEncoder(body)
	encoder.Indent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return err
	}
	body.WriteByte('\n')
	return nil
}

// columns are the heads of a CSV. They are the names of the API in every language, so that formulas that look
// for them go on working.
var columns = []string{
	"id", "itemName", "itemId", "quantity", "sold", "left", "maxPricePerUnit", "remainingValue",
	"levelRequirement", "category", "importance", "createdAt", "updatedAt", "expiresAt", "url",
}

func (f *Feeds) writeCSV(body *bytes.Buffer, list feed) error {
	rows := kernel.Table{columns}
	for _, o := range list.orders {
		v := kernel.ViewPublicOrder(f.Kernel, o)
		item, level := "", ""
		if v.ItemID != 0 {
			item = strconv.FormatInt(int64(v.ItemID), 10)
		}
		if v.LevelRequirement != nil {
			level = strconv.Itoa(*v.LevelRequirement)
		}
		at := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
		rows = append(rows, []string{strconv.FormatInt(int64(v.ID), 10), kernel.NoFormula(v.ItemName), item,
			strconv.Itoa(v.Quantity), strconv.Itoa(v.Sold), strconv.Itoa(v.Left),
			strconv.FormatInt(int64(v.MaxPricePerUnit), 10), v.RemainingValue, level,
			kernel.NoFormula(string(v.Category)), kernel.NoFormula(string(v.Importance)),
			at(v.CreatedAt), at(v.UpdatedAt), at(v.ExpiresAt), v.URL})
	}
	return rows.Write(body)
}

// view is the JSON shape of a feed.
type view struct {
	Orders []kernel.PublicOrderView `json:"orders" nullable:"false"`
}

var viewType = reflect.TypeFor[view]()

func (f *Feeds) writeJSON(body *bytes.Buffer, list feed) error {
	v := view{Orders: make([]kernel.PublicOrderView, len(list.orders))}
	for i, o := range list.orders {
		v.Orders[i] = kernel.ViewPublicOrder(f.Kernel, o)
	}
	return huma.DefaultJSONFormat.Marshal(body, v)
}
