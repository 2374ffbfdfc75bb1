package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

// watchDraft contains what a user fills in of a watch. Its fields have the names of the fields of a saved
// search.
type watchDraft struct {
	Name        string            `json:"name" required:"false" limit:"searchName" doc:"Defaults to what it watches" example:"Ores"`
	Items       []core.ItemID     `json:"items" required:"false" nullable:"false" doc:"Any of these items; empty for all"`
	Kind        string            `json:"kind" required:"false" limit:"itemName" doc:"Only items of this kind; empty for any" example:"Adathril Ore"`
	Text        string            `json:"q" required:"false" limit:"itemName" doc:"Words that must all occur" example:"ore"`
	Categories  []game.Category   `json:"category" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Importance  []game.Importance `json:"importance" required:"false" nullable:"false" doc:"Any of these; empty for all"`
	Level       int               `json:"level" required:"false" minimum:"0" limit:"level" doc:"0 for any" example:"120"`
	MinPrice    core.Copper       `json:"minPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	MaxPrice    core.Copper       `json:"maxPrice" required:"false" minimum:"0" limit:"price" doc:"0 for no bound"`
	ForMe       bool              `json:"forMe" required:"false" doc:"Only requests that the user's skills are enough for"`
	MinQuantity int               `json:"minQuantity" required:"false" minimum:"0" limit:"quantity" doc:"0 for any" example:"50"`
	Way         string            `json:"way" required:"false" enum:"direct,digest,inbox" default:"direct" doc:"How it notifies: by direct message, by one direct message a day, or in the inbox only, which has every alert"`
	Pause       int               `json:"pause" required:"false" minimum:"0" limit:"watchPause" doc:"Minutes between two alerts; what comes in between is held and comes as one message" example:"60"`
}

func (d watchDraft) draft() match.WatchDraft {
	return match.WatchDraft{
		Name: d.Name, Items: d.Items, Kind: d.Kind, Text: d.Text, Categories: d.Categories,
		Importance: d.Importance, Level: d.Level,
		MinPrice: d.MinPrice, MaxPrice: d.MaxPrice, ForMe: d.ForMe, MinQuantity: d.MinQuantity,
		Way:   match.Way(d.Way),
		Pause: time.Duration(d.Pause) * time.Minute,
	}
}

// WatchView is the JSON shape of a watch, for its user.
type WatchView struct {
	ID           core.WatchID      `json:"id" example:"4"`
	Name         string            `json:"name" example:"Ores"`
	Items        []core.ItemID     `json:"items" nullable:"false" doc:"Any of these items; empty for all"`
	Kind         string            `json:"kind" doc:"Empty for any" example:""`
	Text         string            `json:"q" example:"ore"`
	Categories   []game.Category   `json:"category" nullable:"false"`
	Importance   []game.Importance `json:"importance" nullable:"false"`
	Level        int               `json:"level" doc:"0 for any" example:"120"`
	MinPrice     core.Copper       `json:"minPrice" doc:"0 for no bound"`
	MaxPrice     core.Copper       `json:"maxPrice" doc:"0 for no bound"`
	ForMe        bool              `json:"forMe"`
	MinQuantity  int               `json:"minQuantity" doc:"0 for any"`
	Way          string            `json:"way" enum:"direct,digest,inbox"`
	Pause        int               `json:"pause" doc:"Minutes"`
	Paused       bool              `json:"paused" doc:"It notifies of nothing"`
	SnoozedUntil *time.Time        `json:"snoozedUntil" doc:"Alerts are held until then; null for not"`
	CreatedAt    time.Time         `json:"createdAt"`
	UpdatedAt    time.Time         `json:"updatedAt"`
}

func viewWatch(w match.Watch) WatchView {
	v := WatchView{
		ID: w.ID, Name: w.Name, Items: append([]core.ItemID{}, w.Items...), Kind: w.Kind, Text: w.Text,
		Categories: append([]game.Category{}, w.Categories...),
		Importance: append([]game.Importance{}, w.Importance...), Level: w.Level,
		MinPrice: w.MinPrice, MaxPrice: w.MaxPrice, ForMe: w.ForMe, MinQuantity: w.MinQuantity,
		Way:   string(w.Way),
		Pause: int(w.Pause / time.Minute), Paused: w.Paused(), CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
	if !w.SnoozedUntil.IsZero() {
		v.SnoozedUntil = &w.SnoozedUntil
	}
	return v
}

// ViewWatches returns the shapes of watches.
func ViewWatches(watches []match.Watch) []WatchView {
	views := make([]WatchView, len(watches))
	for i, w := range watches {
		views[i] = viewWatch(w)
	}
	return views
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
	MutedBuyers []kernel.Person `json:"mutedBuyers" nullable:"false" doc:"Buyers of whose requests the user does not want to hear, the latest first"`
}

func (a operations) listWatches(ctx context.Context, _ *struct{}) (*kernel.Answer[watchesView], error) {
	actor, err := a.Actor(ctx, "")
	if err != nil {
		return nil, err
	}
	var watches []match.Watch
	if a.Features.Watches {
		if watches, err = a.Market.Match.Watches(ctx, actor); err != nil {
			return nil, err
		}
	}
	muted, err := a.Market.Match.MutedBuyers(ctx, actor)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[watchesView]{Body: watchesView{Watches: ViewWatches(watches),
		MutedBuyers: ViewMuted(muted)}}, nil
}

type addWatchInput struct {
	kernel.Keyed
	Body kernel.Sent[watchDraft]
}

func (a operations) addWatch(ctx context.Context, in *addWatchInput) (*kernel.Answer[WatchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	watch, err := a.Market.Match.AddWatch(ctx, actor, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[WatchView]{Body: viewWatch(watch)}, nil
}

type triedWatch struct {
	Fired int `json:"fired" doc:"Requests of the last 30 days that fit" example:"14"`
	Days  int `json:"days" example:"30"`
}

func (a operations) tryWatch(ctx context.Context, in *addWatchInput) (*kernel.Answer[triedWatch], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	tried, err := a.Market.Match.TryWatch(ctx, actor, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[triedWatch]{Body: triedWatch{Fired: tried.Fired, Days: match.WatchedDays}}, nil
}

// ByWatch is part of everything about one watch.
type ByWatch struct {
	ID core.WatchID `path:"id" doc:"The watch" example:"4"`
}

type putWatchInput struct {
	ByWatch
	kernel.Keyed
	Body kernel.Sent[watchDraft]
}

func (a operations) putWatch(ctx context.Context, in *putWatchInput) (*kernel.Answer[WatchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	watch, err := a.Market.Match.EditWatch(ctx, actor, in.ID, in.Body.Fields.draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[WatchView]{Body: viewWatch(watch)}, nil
}

type watchWrite struct {
	ByWatch
	kernel.Keyed
}

func (a operations) deleteWatch(ctx context.Context, in *watchWrite) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.Match.DeleteWatch(ctx, actor, in.ID)
}

type watchPause struct {
	Paused bool `json:"paused" doc:"Whether it notifies of nothing"`
}

type pauseWatchInput struct {
	ByWatch
	kernel.Keyed
	Body kernel.Sent[watchPause]
}

func (a operations) pauseWatch(ctx context.Context, in *pauseWatchInput) (*kernel.Answer[WatchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	watch, err := a.Market.Match.PauseWatch(ctx, actor, in.ID, in.Body.Fields.Paused)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[WatchView]{Body: viewWatch(watch)}, nil
}

type watchSnooze struct {
	For string `json:"for" enum:"hour,tomorrow" doc:"For an hour, or until eight tomorrow morning in the user's time zone" example:"hour"`
}

type snoozeWatchInput struct {
	ByWatch
	kernel.Keyed
	Body kernel.Sent[watchSnooze]
}

func (a operations) snoozeWatch(
	ctx context.Context, in *snoozeWatchInput,
) (*kernel.Answer[WatchView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	watch, err := a.Market.Match.SnoozeWatch(ctx, actor, in.ID, match.Snooze(in.Body.Fields.For))
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[WatchView]{Body: viewWatch(watch)}, nil
}

type muteBuyerInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	kernel.Keyed
}

func (a operations) muteBuyer(ctx context.Context, in *muteBuyerInput) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.Match.MuteBuyer(ctx, actor, in.ID)
}

type unmuteBuyerInput struct {
	ID core.UserID `path:"id" doc:"The buyer" example:"2"`
	kernel.Keyed
}

func (a operations) unmuteBuyer(ctx context.Context, in *unmuteBuyerInput) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.Match.UnmuteBuyer(ctx, actor, in.ID)
}

type audienceView struct {
	People int `json:"people" doc:"How many people will hear of the request; 1000 at most" example:"12"`
}

// countAudience returns how many users would be alerted to a request, without identifying them.
func (a operations) countAudience(
	ctx context.Context, in *kernel.PostOrderInput,
) (*kernel.Answer[audienceView], error) {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	people, err := a.Market.Match.Audience(ctx, actor, in.Body.Fields.Draft())
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[audienceView]{Body: audienceView{People: people}}, nil
}
