package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// watchDraft contains what a user fills in of a saved search with a bell.
type watchDraft struct {
	Name  string        `json:"name" required:"false" limit:"searchName" doc:"Defaults to what it watches" example:"Ores"`
	Items []core.ItemID `json:"items" required:"false" nullable:"false" doc:"Any of these items; empty for all"`
	Kind  string        `json:"kind" required:"false" limit:"itemName" doc:"Only items of this kind; empty for any" example:"Adathril Ore"`
	FilterDraft
	MinQuantity int    `json:"minQuantity" required:"false" minimum:"0" limit:"quantity" doc:"0 for any" example:"50"`
	Way         string `json:"way" required:"false" enum:"direct,digest,inbox" default:"direct" doc:"How it notifies: by direct message, by one direct message a day, or in the inbox only, which has every alert"`
	Pause       int    `json:"pause" required:"false" minimum:"0" limit:"watchPause" doc:"Minutes between two alerts; what comes in between is held and comes as one message" example:"60"`

	Sort match.Sort `json:"sort" required:"false" doc:"How the board shows what fits; empty for newest, or for what it was"`
	View match.View `json:"view" required:"false" enum:",cards,list" doc:"Is kept when the sort is empty"`
}

func (d watchDraft) draft() match.SearchDraft {
	draft := d.FilterDraft.search(match.BellOn, d.Name)
	draft.Items, draft.Kind, draft.MinQuantity = d.Items, d.Kind, d.MinQuantity
	draft.Way, draft.Pause = match.Way(d.Way), time.Duration(d.Pause)*time.Minute
	draft.Sort, draft.View = d.Sort, d.View
	return draft
}

// WatchView is the JSON shape of a saved search with a bell, for its user.
type WatchView struct {
	ID    core.SearchID `json:"id" example:"4"`
	Name  string        `json:"name" example:"Ores"`
	Items []core.ItemID `json:"items" nullable:"false" doc:"Any of these items; empty for all"`
	Kind  string        `json:"kind" doc:"Empty for any" example:""`
	FilterView
	MinQuantity  int        `json:"minQuantity" doc:"0 for any"`
	Way          string     `json:"way" enum:"direct,digest,inbox"`
	Pause        int        `json:"pause" doc:"Minutes"`
	Paused       bool       `json:"paused" doc:"It notifies of nothing"`
	SnoozedUntil *time.Time `json:"snoozedUntil" doc:"Alerts are held until then; null for not"`
	CreatedAt    time.Time  `json:"createdAt"`
	UpdatedAt    time.Time  `json:"updatedAt"`
}

func viewWatch(s match.SavedSearch) WatchView {
	return WatchView{
		ID: s.ID, Name: s.Name, Items: append([]core.ItemID{}, s.Items...), Kind: s.Kind,
		FilterView: viewFilter(s.SearchDraft), MinQuantity: s.MinQuantity,
		Way: string(s.Way), Pause: int(s.Pause / time.Minute), Paused: s.Paused(),
		SnoozedUntil: kernel.TimeOrNil(s.SnoozedUntil), CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
}

// ViewWatches returns the shapes of the saved searches with a bell.
func ViewWatches(searches []match.SavedSearch) []WatchView {
	return viewEach(searches, match.BellOn, viewWatch)
}

// ViewMuted returns the shapes of buyers that a user has muted.
func ViewMuted(muted []match.MutedBuyer) []kernel.Person {
	people := make([]kernel.Person, len(muted))
	for i, m := range muted {
		people[i] = kernel.Person{ID: m.Buyer, Username: m.Username}
	}
	return people
}

type watchesView struct {
	Watches     []WatchView     `json:"watches" nullable:"false" doc:"By name; at most 25"`
	MutedBuyers []kernel.Person `json:"mutedBuyers" nullable:"false" doc:"Buyers that the user has muted, the latest first"`
}

func (a operations) listWatches(ctx context.Context, in *kernel.Caller) (*kernel.Answer[watchesView], error) {
	var watches []match.SavedSearch
	var err error
	if a.Features.Watches {
		if watches, err = a.Market.Match.Searches(ctx, in.By, match.BellOn); err != nil {
			return nil, err
		}
	}
	muted, err := a.Market.Match.MutedBuyers(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[watchesView]{Body: watchesView{Watches: ViewWatches(watches),
		MutedBuyers: ViewMuted(muted)}}, nil
}

func (a operations) giveBell(ctx context.Context, in *searchWrite) (*kernel.Answer[WatchView], error) {
	return answer(viewWatch)(a.Market.Match.GiveBell(ctx, in.By, in.ID))
}

type triedWatch struct {
	Fired int `json:"fired" doc:"Requests of the last 30 days that fit" example:"14"`
	Days  int `json:"days" example:"30"`
}

func (a operations) tryWatch(
	ctx context.Context, in *addSearchInput[watchDraft],
) (*kernel.Answer[triedWatch], error) {
	tried, err := a.Market.Match.TrySearch(ctx, in.By, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[triedWatch]{Body: triedWatch{Fired: tried.Fired, Days: match.TriedDays}}, nil
}

type watchPause struct {
	Paused bool `json:"paused" doc:"Whether it notifies of nothing"`
}

type pauseWatchInput struct {
	BySearch
	kernel.Keyed
	Body kernel.Sent[watchPause]
}

func (a operations) pauseWatch(ctx context.Context, in *pauseWatchInput) (*kernel.Answer[WatchView], error) {
	return answer(viewWatch)(a.Market.Match.PauseBell(ctx, in.By, in.ID, in.Body.Fields.Paused))
}

type watchSnooze struct {
	For string `json:"for" enum:"hour,tomorrow" doc:"For an hour, or until eight tomorrow morning in the user's time zone" example:"hour"`
}

type snoozeWatchInput struct {
	BySearch
	kernel.Keyed
	Body kernel.Sent[watchSnooze]
}

func (a operations) snoozeWatch(
	ctx context.Context, in *snoozeWatchInput,
) (*kernel.Answer[WatchView], error) {
	return answer(viewWatch)(a.Market.Match.SnoozeBell(ctx, in.By, in.ID, match.Snooze(in.Body.Fields.For)))
}

type muteBuyerInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	kernel.Keyed
}

func (a operations) muteBuyer(ctx context.Context, in *muteBuyerInput) error {
	return a.Market.Match.MuteBuyer(ctx, in.By, in.ID)
}

type unmuteBuyerInput struct {
	ID core.UserID `path:"id" doc:"The buyer" example:"2"`
	kernel.Keyed
}

func (a operations) unmuteBuyer(ctx context.Context, in *unmuteBuyerInput) error {
	return a.Market.Match.UnmuteBuyer(ctx, in.By, in.ID)
}

type audienceView struct {
	People int `json:"people" doc:"People who will get a message, roughly: 0, 1 for a few, or 10, 100, 1000"`
}

// countAudience returns roughly how many users would be alerted to a request, without identifying them.
func (a operations) countAudience(
	ctx context.Context, in *kernel.PostOrderInput,
) (*kernel.Answer[audienceView], error) {
	people, err := a.Market.Match.Audience(ctx, in.By, in.Body.Fields.Draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[audienceView]{Body: audienceView{People: people}}, nil
}
