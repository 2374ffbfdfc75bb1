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
	"tradepost/web/kernel"
)

// itemsPage serves the dashboard as the list of items.
func (s *Site) itemsPage(w http.ResponseWriter, r *http.Request) {
	s.servePage(w, r, http.StatusOK, s.itemsMeta)
}

func (s *Site) itemsMeta(language string) meta {
	m := s.siteMeta(language)
	m.title, m.address = "Items · "+s.opts.Name, s.Public.String()+"/items"
	m.description = "What the game has: who makes it, who uses it, and who asks for it now."
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
	m := s.siteMeta(language)
	m.title, m.address = i.Name, s.Public.String()+itemAddress(i)
	m.description = strings.Join(itemFacts(i), ". ")
	if m.description == "" {
		m.description = "Who asks for it now, and what they pay"
	}
	m.image = fmt.Sprintf("%s/items/%d/card.png?v=%s", s.Public, i.ID,
		itemVersion(i, s.opts.Name, s.Now().UTC().Format("2006010215")))
	m.imageAlt = m.title + ". " + m.description
	m.ahead = []string{"/api/me", fmt.Sprintf("/api/catalogue/%d", i.ID)}
	return m
}

// itemFacts says who makes and who uses an item, and where it is found.
func itemFacts(i items.Item) []string {
	var facts []string
	add := func(before string, by []game.Category, level *int) {
		if len(by) == 0 {
			return
		}
		names := make([]string, len(by))
		for at, c := range by {
			names[at] = string(c)
		}
		fact := before + " " + strings.Join(names, ", ")
		if level != nil && *level > 0 {
			fact += fmt.Sprintf(" from level %d", *level)
		}
		facts = append(facts, fact)
	}
	add("Made by", i.MadeBy, i.MadeAt)
	add("Used by", i.UsedBy, i.UsedAt)
	if i.Region != "" {
		facts = append(facts, "Found in "+i.Region)
	}
	return facts
}
