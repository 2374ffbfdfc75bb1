package notices

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/web/kernel"
)

// NoticeView is the JSON shape of a notice, for its recipient.
type NoticeView struct {
	ID           core.NoticeID      `json:"id" example:"31"`
	Kind         notify.Kind        `json:"kind"`
	OrderID      *core.OrderID      `json:"orderId" doc:"null where there is none, or once it is deleted" example:"7"`
	OfferID      *core.OfferID      `json:"offerId" example:"70"`
	SaleID       *core.SaleID       `json:"saleId,omitempty" doc:"The sale whose handover it is about; left out where there is none" example:"12"`
	ItemName     string             `json:"itemName" example:"Iron Ore"`
	Quantity     int                `json:"quantity" doc:"The quantity offered, accepted, sold or left, depending on the kind" example:"20"`
	PricePerUnit core.Copper        `json:"pricePerUnit" doc:"In copper" example:"250"`
	Counterpart  kernel.Counterpart `json:"counterpart" doc:"The other side; empty strings when there is none"`
	WatchID      *core.SearchID     `json:"watchId" doc:"The watch of a request_watched notice, whose name is the counterpart's; it may be gone" example:"4"`
	ListingID    *core.StockID      `json:"listingId,omitempty" doc:"What is for sale that a request_watched notice is about; it may be gone. Left out for a request" example:"9"`
	Message      string             `json:"message" doc:"The seller's message, or the reason why something ended" example:"I have plenty"`
	State        notify.State       `json:"state"`
	Reason       *string            `json:"reason" doc:"Why it was not delivered; null also where its reader needed no message any more, having answered" example:"You turned these off"`
	CreatedAt    time.Time          `json:"createdAt"`
	Read         bool               `json:"read"`

	Offer kernel.OrNull[offerNowView] `json:"offer" doc:"What has become of the offer of an offer_received notice; null for other kinds"`
}

type offerNowView struct {
	Open     bool `json:"open" doc:"It waits for an answer"`
	Accepted int  `json:"accepted" doc:"How many of it were accepted so far" example:"5"`
}

// ViewNotice returns the shape of a notice.
func ViewNotice(n notify.Notice) NoticeView {
	v := NoticeView{
		ID: n.ID, Kind: n.Kind, OrderID: kernel.IDOrNil(n.OrderID), OfferID: kernel.IDOrNil(n.OfferID),
		ItemName: n.ItemName,
		Quantity: n.Quantity, PricePerUnit: n.Price,
		Counterpart: kernel.Counterpart{Name: n.Name, Contact: n.Contact,
			LookAlike: kernel.ViewLookAlike(n.LookAlike)},
		SaleID:  kernel.IDOrNil(n.Sale),
		WatchID: kernel.IDOrNil(n.Search), ListingID: kernel.IDOrNil(n.Listing),
		Message: n.Message, State: n.State,
		Reason: kernel.TextOrNil(n.Reason), CreatedAt: n.CreatedAt, Read: !n.ReadAt.IsZero(),
	}
	if channels.Needless(n) {
		v.Reason = nil
	}
	if n.Offer != nil {
		v.Offer.Value = &offerNowView{Open: n.Offer.Open, Accepted: n.Offer.Accepted}
	}
	return v
}

type noticePageView struct {
	Notices    []NoticeView `json:"notices" doc:"Newest first"`
	Unread     int          `json:"unread" doc:"Total number of unread notices"`
	NextCursor *string      `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a operations) listNotices(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[noticePageView], error) {
	before, err := kernel.PlaceAfter[core.NoticeID](in.Cursor)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Notify.Notices(ctx, in.By, before, kernel.PageSize)
	if err != nil {
		return nil, err
	}
	view := noticePageView{Notices: make([]NoticeView, 0, len(page.Notices)), Unread: page.Unread,
		NextCursor: kernel.WriteCursor(page.Next)}
	for _, n := range page.Notices {
		view.Notices = append(view.Notices, ViewNotice(n))
	}
	return &kernel.Answer[noticePageView]{Body: view}, nil
}

type readUpTo struct {
	UpTo core.NoticeID `json:"upTo" doc:"This notice and all earlier ones" example:"31"`
}

type readNoticesInput struct {
	kernel.Keyed
	Body kernel.Sent[readUpTo]
}

func (a operations) readNotices(ctx context.Context, in *readNoticesInput) error {
	return a.Market.Notify.ReadNotices(ctx, in.By, in.Body.Fields.UpTo)
}

// NoticeSettings are a user's settings for direct messages. The inbox shows every notice regardless.
type NoticeSettings struct {
	Kinds       map[notify.Kind]bool `json:"kinds" doc:"Which kinds are sent; a kind that is left out is sent. Not among them are decisions of moderators about you and your posts, which are always sent, and what only moderators get" example:"{\"order_expiring\":false}"`
	QuietFrom   *string              `json:"quietFrom" pattern:"^[0-2][0-9]:[0-5][0-9]$" doc:"When quiet hours start; null for none" example:"22:00"`
	QuietTo     *string              `json:"quietTo" pattern:"^[0-2][0-9]:[0-5][0-9]$" doc:"When they end" example:"07:30"`
	TimeZone    string               `json:"timeZone" doc:"An IANA name; empty for UTC" example:"Europe/Berlin"`
	Gather      *bool                `json:"gatherOffers" required:"false" doc:"Whether the offers after the third in an hour come together, in one direct message an hour; stays as it is when left out" example:"false"`
	Unreachable *string              `json:"unreachable" required:"false" readOnly:"true" doc:"Why direct messages cannot be delivered at present; null while they can"`
}

const clockLayout = "15:04"

// ViewSettings returns the shape of a user's settings. Kinds of features that are off are not among them.
func ViewSettings(
	features core.Features, s notify.Settings, unreachable string, moderator bool,
) NoticeSettings {
	v := NoticeSettings{Kinds: map[notify.Kind]bool{}, TimeZone: s.TimeZone, Gather: &s.GatherOffers,
		Unreachable: kernel.TextOrNil(unreachable)}
	for _, kind := range notify.MutableKinds(features, moderator) {
		v.Kinds[kind] = !slices.Contains(s.Muted, kind)
	}
	if s.QuietFrom != s.QuietTo {
		from, to := clockOf(s.QuietFrom), clockOf(s.QuietTo)
		v.QuietFrom, v.QuietTo = &from, &to
	}
	return v
}

func clockOf(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

func (s NoticeSettings) settings() (notify.Settings, error) {
	settings := notify.Settings{TimeZone: s.TimeZone}
	var c core.Checks
	for kind, on := range s.Kinds {
		known := slices.Contains(notify.AllMutableKinds, kind)
		c.That(known, "kinds", core.NewText("notice_kind_unmutable", "kind", kind))
		if known && !on {
			settings.Muted = append(settings.Muted, kind)
		}
	}
	slices.Sort(settings.Muted)
	c.That((s.QuietFrom == nil) == (s.QuietTo == nil), "quietTo", core.NewText("quiet_hours_incomplete"))
	settings.QuietFrom = minuteOf(s.QuietFrom, "quietFrom", &c)
	settings.QuietTo = minuteOf(s.QuietTo, "quietTo", &c)
	return settings, c.Err()
}

func minuteOf(text *string, field string, c *core.Checks) int {
	if text == nil {
		return 0
	}
	at, err := time.Parse(clockLayout, *text)
	c.That(err == nil, field, core.NewText("time_of_day_format"))
	return at.Hour()*60 + at.Minute()
}

func (a operations) getNoticeSettings(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[NoticeSettings], error) {
	settings, unreachable, err := a.Market.Notify.Settings(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[NoticeSettings]{Body: ViewSettings(a.Features, settings, unreachable,
		in.By.Moderator)}, nil
}

type putNoticeSettingsInput struct {
	kernel.Keyed
	Body kernel.Sent[NoticeSettings]
}

func (a operations) putNoticeSettings(
	ctx context.Context, in *putNoticeSettingsInput,
) (*kernel.Answer[NoticeSettings], error) {
	settings, err := in.Body.Fields.settings()
	if err != nil {
		return nil, err
	}
	if on := in.Body.Fields.Gather; on != nil {
		settings.GatherOffers = *on
	} else {
		before, _, err := a.Market.Notify.Settings(ctx, in.By)
		if err != nil {
			return nil, err
		}
		settings.GatherOffers = before.GatherOffers
	}
	if _, err := a.Market.Notify.SetSettings(ctx, in.By, settings); err != nil {
		return nil, err
	}
	return a.getNoticeSettings(ctx, &in.Caller)
}

func (a operations) sendTestNotice(ctx context.Context, in *kernel.Keyed) error {
	return a.Market.Notify.SendTest(ctx, in.By)
}
