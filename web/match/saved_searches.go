package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// searchDraft contains what a user fills in of a saved search. Its fields are called as the parameters of
// the list are.
type searchDraft struct {
	Name       string            `json:"name" limit:"searchName" doc:"Unique among the user's searches, in any case" example:"Ores"`
	Text       string            `json:"q" required:"false" limit:"itemName" example:"ore"`
	Categories []game.Category   `json:"category" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Importance []game.Importance `json:"importance" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Level      int               `json:"level" required:"false" minimum:"0" limit:"level" doc:"0 for any" example:"120"`
	MinPrice   core.Copper       `json:"minPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	MaxPrice   core.Copper       `json:"maxPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	ForMe      bool              `json:"forMe" required:"false" doc:"Only requests that the user's skills are enough for"`
	Sort       match.Sort        `json:"sort" required:"false" doc:"Defaults to newest"`
	View       match.View        `json:"view" required:"false" enum:",cards,list" doc:"How the page shows the requests; empty for either"`
}

func (d searchDraft) draft() match.SearchDraft {
	return match.SearchDraft{
		Name: d.Name, Text: d.Text, Categories: d.Categories, Importance: d.Importance, Level: d.Level,
		MinPrice: d.MinPrice, MaxPrice: d.MaxPrice, ForMe: d.ForMe, Sort: d.Sort, View: d.View,
	}
}

// SearchView is the JSON shape of a saved search, for its user.
type SearchView struct {
	ID         core.SearchID     `json:"id" example:"4"`
	Name       string            `json:"name" example:"Ores"`
	Text       string            `json:"q" example:"ore"`
	Categories []game.Category   `json:"category" nullable:"false" doc:"Any of these; empty for all"`
	Importance []game.Importance `json:"importance" nullable:"false" doc:"Any of these; empty for all"`
	Level      int               `json:"level" doc:"0 for any" example:"120"`
	MinPrice   core.Copper       `json:"minPrice" doc:"0 for no bound"`
	MaxPrice   core.Copper       `json:"maxPrice" doc:"0 for no bound"`
	ForMe      bool              `json:"forMe" doc:"Only requests that the user's skills are enough for"`
	Sort       match.Sort        `json:"sort"`
	View       match.View        `json:"view" enum:",cards,list" doc:"How the page shows the requests; empty for either"`
	CreatedAt  time.Time         `json:"createdAt"`
	UpdatedAt  time.Time         `json:"updatedAt"`
}

func viewSearch(s match.SavedSearch) SearchView {
	return SearchView{
		ID: s.ID, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		Name: s.Name, Text: s.Text, Categories: append([]game.Category{}, s.Categories...),
		Importance: append([]game.Importance{}, s.Importance...), Level: s.Level,
		MinPrice: s.MinPrice, MaxPrice: s.MaxPrice, ForMe: s.ForMe, Sort: s.Sort, View: s.View,
	}
}

// ViewSearches returns the shapes of saved searches.
func ViewSearches(searches []match.SavedSearch) []SearchView {
	views := make([]SearchView, len(searches))
	for i, s := range searches {
		views[i] = viewSearch(s)
	}
	return views
}

type searchesView struct {
	Searches []SearchView `json:"searches" doc:"By name; at most 25"`
}

func (a operations) listSearches(ctx context.Context, _ *struct{}) (*kernel.Answer[searchesView], error) {
	actor, err := a.Actor(ctx, "")
	if err != nil {
		return nil, err
	}
	searches, err := a.Market.Match.Searches(ctx, actor)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[searchesView]{Body: searchesView{Searches: ViewSearches(searches)}}, nil
}

type addSearchInput struct {
	kernel.Keyed
	Body kernel.Sent[searchDraft]
}

func (a operations) addSearch(ctx context.Context, in *addSearchInput) (*kernel.Answer[SearchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	search, err := a.Market.Match.AddSearch(ctx, actor, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[SearchView]{Body: viewSearch(search)}, nil
}

// BySearch is part of everything about one saved search.
type BySearch struct {
	ID core.SearchID `path:"id" doc:"The saved search" example:"4"`
}

type putSearchInput struct {
	BySearch
	kernel.Keyed
	Body kernel.Sent[searchDraft]
}

func (a operations) putSearch(ctx context.Context, in *putSearchInput) (*kernel.Answer[SearchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	search, err := a.Market.Match.EditSearch(ctx, actor, in.ID, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[SearchView]{Body: viewSearch(search)}, nil
}

type searchWrite struct {
	BySearch
	kernel.Keyed
}

func (a operations) deleteSearch(ctx context.Context, in *searchWrite) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.Match.DeleteSearch(ctx, actor, in.ID)
}
