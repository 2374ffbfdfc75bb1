package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// FilterDraft is the part of a saved search that a user fills in as the board's filter. Its fields have the
// names of the parameters of the list.
type FilterDraft struct {
	Text       string            `json:"q" required:"false" limit:"itemName" doc:"Words that must all occur" example:"ore"`
	Categories []game.Category   `json:"category" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Importance []game.Importance `json:"importance" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Level      int               `json:"level" required:"false" minimum:"0" limit:"level" doc:"0 for any" example:"120"`
	MinPrice   core.Copper       `json:"minPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	MaxPrice   core.Copper       `json:"maxPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	ForMe      bool              `json:"forMe" required:"false" doc:"Only requests that the user's skills are enough for"`
	Side       match.Side        `json:"side" required:"false" enum:",sale,both" doc:"What it is for: empty for requests, sale for what is for sale, both for either. Importance, level, forMe and minPrice are about requests alone"`
}

func (d FilterDraft) search(bell match.Bell, name string) match.SearchDraft {
	return match.SearchDraft{
		Bell: bell, Name: name, Text: d.Text, Categories: d.Categories, Importance: d.Importance,
		Level: d.Level, MinPrice: d.MinPrice, MaxPrice: d.MaxPrice, ForMe: d.ForMe, Side: d.Side,
	}
}

// searchDraft contains what a user fills in of a saved search without a bell.
type searchDraft struct {
	Name string `json:"name" limit:"searchName" doc:"Unique among the user's searches, in any case" example:"Ores"`
	FilterDraft
	Sort match.Sort `json:"sort" required:"false" doc:"Defaults to newest"`
	View match.View `json:"view" required:"false" enum:",cards,list" doc:"How the page shows the requests; empty for either"`
}

func (d searchDraft) draft() match.SearchDraft {
	draft := d.FilterDraft.search(match.BellOff, d.Name)
	draft.Sort, draft.View = d.Sort, d.View
	return draft
}

// FilterView is the part of a saved search that is the board's filter.
type FilterView struct {
	Text       string            `json:"q" example:"ore"`
	Categories []game.Category   `json:"category" nullable:"false" doc:"Any of these; empty for all"`
	Importance []game.Importance `json:"importance" nullable:"false" doc:"Any of these; empty for all"`
	Level      int               `json:"level" doc:"0 for any" example:"120"`
	MinPrice   core.Copper       `json:"minPrice" doc:"0 for no bound"`
	MaxPrice   core.Copper       `json:"maxPrice" doc:"0 for no bound"`
	ForMe      bool              `json:"forMe" doc:"Only requests that the user's skills are enough for"`
	Side       match.Side        `json:"side,omitempty" enum:",sale,both" doc:"What it is for: sale for what is for sale, both for either; left out for requests"`
}

func viewFilter(s match.SearchDraft) FilterView {
	return FilterView{
		Text: s.Text, Categories: append([]game.Category{}, s.Categories...),
		Importance: append([]game.Importance{}, s.Importance...), Level: s.Level,
		MinPrice: s.MinPrice, MaxPrice: s.MaxPrice, ForMe: s.ForMe, Side: s.Side,
	}
}

// SearchView is the JSON shape of a saved search without a bell, for its user.
type SearchView struct {
	ID   core.SearchID `json:"id" example:"4"`
	Name string        `json:"name" example:"Ores"`
	FilterView
	Sort      match.Sort `json:"sort"`
	View      match.View `json:"view" enum:",cards,list" doc:"How the page shows the requests; empty for either"`
	CreatedAt time.Time  `json:"createdAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

func viewSearch(s match.SavedSearch) SearchView {
	return SearchView{
		ID: s.ID, Name: s.Name, FilterView: viewFilter(s.SearchDraft), Sort: s.Sort, View: s.View,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
}

// ViewSearches returns the shapes of the saved searches without a bell.
func ViewSearches(searches []match.SavedSearch) []SearchView {
	return viewEach(searches, match.BellOff, viewSearch)
}

func viewEach[V any](searches []match.SavedSearch, bell match.Bell, view func(match.SavedSearch) V) []V {
	views := make([]V, 0, len(searches))
	for _, s := range searches {
		if s.Bell == bell {
			views = append(views, view(s))
		}
	}
	return views
}

type searchesView struct {
	Searches []SearchView `json:"searches" doc:"By name; at most 25"`
}

func (a operations) listSearches(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[searchesView], error) {
	searches, err := a.Market.Match.Searches(ctx, in.By, match.BellOff)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[searchesView]{Body: searchesView{Searches: ViewSearches(searches)}}, nil
}

// savedView is the JSON shape of a saved search in the one list, for its user.
type savedView struct {
	ID    core.SearchID `json:"id" doc:"Unique among watches, and among the others" example:"4"`
	Watch bool          `json:"watch" doc:"It has a bell: its address is /api/me/watches/{id}, else /api/me/searches/{id}"`
	Bell  bool          `json:"bell" doc:"The bell is on: new requests that fit send a message"`
	Name  string        `json:"name" example:"Ores"`
	Items []core.ItemID `json:"items" nullable:"false" doc:"Any of these items; empty for all"`
	Kind  string        `json:"kind" doc:"Of items; empty for any" example:""`
	FilterView
	MinQuantity  int        `json:"minQuantity" doc:"0 for any"`
	Sort         match.Sort `json:"sort"`
	View         match.View `json:"view" enum:",cards,list" doc:"How the page shows the requests; empty for either"`
	Way          string     `json:"way" enum:"direct,digest,inbox" doc:"How the bell notifies"`
	Pause        int        `json:"pause" doc:"Minutes between two alerts"`
	SnoozedUntil *time.Time `json:"snoozedUntil" doc:"Alerts are held until then; null for not"`
	CreatedAt    time.Time  `json:"createdAt"`
	UpdatedAt    time.Time  `json:"updatedAt"`
}

func viewSaved(s match.SavedSearch) savedView {
	return savedView{
		ID: s.ID, Watch: bool(s.Bell), Bell: s.Rings(), Name: s.Name,
		Items: append([]core.ItemID{}, s.Items...), Kind: s.Kind, FilterView: viewFilter(s.SearchDraft),
		MinQuantity: s.MinQuantity, Sort: s.Sort, View: s.View, Way: string(s.Way),
		Pause: int(s.Pause / time.Minute), SnoozedUntil: kernel.TimeOrNil(s.SnoozedUntil),
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
}

type savedListView struct {
	Saved []savedView `json:"saved" nullable:"false" doc:"By name; at most 25 with a bell and 25 without"`
}

// listSaved lists searches with a bell, too, where that feature is on.
func (a operations) listSaved(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[savedListView], error) {
	searches, err := a.Market.Match.AllSearches(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := savedListView{Saved: []savedView{}}
	for _, s := range searches {
		if !bool(s.Bell) || a.Features.Watches {
			list.Saved = append(list.Saved, viewSaved(s))
		}
	}
	return &kernel.Answer[savedListView]{Body: list}, nil
}

// filled is a saved search as a user has filled it in, with a bell or without.
type filled interface{ draft() match.SearchDraft }

type addSearchInput[D filled] struct {
	kernel.Keyed
	Body kernel.Sent[D]
}

// addSearch returns the operation that adds a saved search that is filled in as D.
func addSearch[D filled, V any](
	a operations, view func(match.SavedSearch) V,
) func(context.Context, *addSearchInput[D]) (*kernel.Answer[V], error) {
	return func(ctx context.Context, in *addSearchInput[D]) (*kernel.Answer[V], error) {
		return answer(view)(a.Market.Match.AddSearch(ctx, in.By, in.Body.Fields.draft()))
	}
}

func answer[V any](
	view func(match.SavedSearch) V,
) func(match.SavedSearch, error) (*kernel.Answer[V], error) {
	return func(s match.SavedSearch, err error) (*kernel.Answer[V], error) {
		if err != nil {
			return nil, err
		}
		return &kernel.Answer[V]{Body: view(s)}, nil
	}
}

// BySearch is part of everything about one saved search.
type BySearch struct {
	ID core.SearchID `path:"id" doc:"The saved search" example:"4"`
}

type putSearchInput[D filled] struct {
	BySearch
	kernel.Keyed
	Body kernel.Sent[D]
}

// putSearch returns the operation that replaces a saved search by one that is filled in as D.
func putSearch[D filled, V any](
	a operations, view func(match.SavedSearch) V,
) func(context.Context, *putSearchInput[D]) (*kernel.Answer[V], error) {
	return func(ctx context.Context, in *putSearchInput[D]) (*kernel.Answer[V], error) {
		return answer(view)(a.Market.Match.EditSearch(ctx, in.By, in.ID, in.Body.Fields.draft()))
	}
}

type searchWrite struct {
	BySearch
	kernel.Keyed
}

// deleteSearch returns the operation that deletes a saved search with a bell or without.
func (a operations) deleteSearch(bell match.Bell) func(context.Context, *searchWrite) error {
	return func(ctx context.Context, in *searchWrite) error {
		return a.Market.Match.DeleteSearch(ctx, in.By, bell, in.ID)
	}
}
