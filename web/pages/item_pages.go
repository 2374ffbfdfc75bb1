package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

// itemsPage serves the dashboard as the list of items.
func (s *Site) itemsPage(w http.ResponseWriter, r *http.Request) {
	s.servePage(w, r, http.StatusOK, func(language string) meta {
		m := s.itemsMeta(language)
		if r.URL.RawQuery == "" { // with a filter or a sort the page asks for another list
			m.ahead = append(m.ahead, "/api/catalogue?sort=open")
		}
		return m
	})
}

func (s *Site) itemsMeta(language string) meta {
	t, m := text.For(language), s.siteMeta(language)
	m.title, m.address = t.Page("site_items_title", "site", s.opts.Name), s.Public.String()+"/items"
	m.description = t.Page("site_items_description")
	m.ahead = []string{"/api/me"}
	return m
}

// itemPage serves the dashboard at the address of one item, with what a chat shows when the link is pasted
// there. The address of an item that was merged leads to the item that it means.
func (s *Site) itemPage(w http.ResponseWriter, r *http.Request) {
	item, err := s.itemOf(r)
	switch {
	case core.KindOf(err) == core.NotFound:
		s.servePage(w, r, http.StatusNotFound, s.frontMeta)
	case err != nil:
		kernel.NoteFailure(r.Context(), err)
		kernel.NotShared(r.Context())
		s.servePage(w, r, http.StatusOK, s.frontMeta)
	case chi.URLParam(r, "id") != strconv.FormatInt(int64(item.ID), 10):
		w.Header().Set("Cache-Control", "no-cache")
		http.Redirect(w, r, itemAddress(item), http.StatusMovedPermanently)
	default:
		s.servePage(w, r, http.StatusOK,
			func(language string) meta { return s.itemMeta(language, item) })
	}
}

// itemOf reads the item that an address names.
func (s *Site) itemOf(r *http.Request) (items.Item, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return items.Item{}, &core.Error{Kind: core.NotFound, Message: kernel.MsgNotFound}
	}
	return s.Market.Items.Item(r.Context(), core.ItemID(id))
}

// itemAddress is the path of an item's page.
func itemAddress(i items.Item) string {
	return fmt.Sprintf("/items/%d/%s", i.ID, url.PathEscape(i.Slug()))
}

func (s *Site) itemMeta(language string, i items.Item) meta {
	t, m := text.For(language), s.siteMeta(language)
	m.title, m.name, m.address = i.Name, i.Name, s.Public.String()+itemAddress(i)
	m.description = strings.Join(itemFacts(t, i), ". ")
	if m.description == "" {
		m.description = t.Page("preview_item")
	}
	m.image = fmt.Sprintf("%s/items/%d/card.png?v=%s", s.Public, i.ID,
		itemVersion(s.cards.in, i, s.opts.Name, s.Now().UTC().Format("2006010215")))
	m.imageAlt = m.title + ". " + m.description
	m.feed = fmt.Sprintf("/items/%d.atom", i.ID)
	m.ahead = []string{"/api/me", fmt.Sprintf("/api/catalogue/%d", i.ID),
		fmt.Sprintf("/api/orders?itemId=%d&sort=price", i.ID)}
	return m
}

// itemFacts says who makes and who uses an item, and where it is found.
func itemFacts(t text.Printer, i items.Item) []string {
	var facts []string
	add := func(key string, by []game.Category, level *int) {
		if len(by) == 0 {
			return
		}
		names := make([]string, len(by))
		for at, c := range by {
			names[at] = t.Category(string(c))
		}
		pairs := []any{"professions", strings.Join(names, ", ")}
		if level != nil && *level > 0 {
			key, pairs = key+"_from", append(pairs, "level", *level)
		}
		facts = append(facts, t.Page(key, pairs...))
	}
	add("preview_made_by", i.MadeBy, i.MadeAt)
	add("preview_used_by", i.UsedBy, i.UsedAt)
	if i.Region != "" {
		facts = append(facts, t.Page("preview_found_in", "region", i.Region))
	}
	return facts
}
