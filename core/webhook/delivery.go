package webhook

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

const (
	// RetryFor is how long an event is tried, and how long nothing may be delivered until a webhook is off.
	RetryFor = 3 * core.Day
	// firstPause and longestPause limit the pause after an attempt that failed.
	firstPause   = 5 * time.Second
	longestPause = 8 * time.Hour
	// LongestWait is how long a receiver can ask to be left alone.
	LongestWait = core.Day

	// StartFor is how long new attempts of a claimed batch begin.
	StartFor = 10 * time.Second
	// AttemptTime limits each attempt.
	AttemptTime = 10 * time.Second
	// Lease is how long a claimed webhook is no other process's: longer than a batch and storing its results
	// can take. What is unsettled then is sent again, with the same id.
	Lease = StartFor + AttemptTime + 25*time.Second
	// BatchSize is how many events of a webhook are claimed together.
	BatchSize = 20

	// ListedDeliveries is how many of the last deliveries are listed.
	ListedDeliveries = 50
	// DeliveriesFor is how long deliveries are kept.
	DeliveriesFor = 7 * core.Day
	// MaxAnswer is how much of an answer is kept, in characters.
	MaxAnswer = 300
)

// Event is something that receivers hear of. It says which thing changed, and not how.
type Event struct {
	ID   string // one for each event, after MessageID's prefix
	Type Type
	Data string // JSON
}

// data is the content of an event.
type data struct {
	ID      int64        `json:"id,omitempty"`
	OrderID core.OrderID `json:"orderId,omitempty"`
	OfferID core.OfferID `json:"offerId,omitempty"`
	SaleID  core.SaleID  `json:"saleId,omitempty"`
	// Version grows from event to event about the same thing.
	Version int64 `json:"version"`
}

// OfNotice returns the event of a notice with its number. Its id is the number of what the type names.
func OfNotice(n notify.Notice, number core.NoticeID) Event {
	d := data{OrderID: n.OrderID, OfferID: n.OfferID, SaleID: n.Sale, Version: int64(number)}
	noun, _, _ := strings.Cut(string(n.Kind), "_")
	switch noun {
	case "offer":
		d.ID = int64(n.OfferID)
	case "handover", "standing":
		d.ID = int64(n.Sale)
	default:
		d.ID = int64(n.OrderID)
	}
	return Event{ID: fmt.Sprintf("n%d", number), Type: TypeOf(n.Kind), Data: d.String()}
}

func (d data) String() string {
	text, _ := json.Marshal(d) // numbers: it cannot fail
	return string(text)
}

// OfSale returns the event that a sale was logged or undone.
func OfSale(t Type, id core.SaleID, order core.OrderID, offer core.OfferID) Event {
	d := data{ID: int64(id), OrderID: order, OfferID: offer, SaleID: id, Version: 1}
	prefix := "s"
	if t == SaleUndone {
		prefix, d.Version = "u", 2
	}
	return Event{ID: fmt.Sprint(prefix, id), Type: t, Data: d.String()}
}

// Failure says why an attempt got no answer.
type Failure string

// The failures.
const (
	NoName       Failure = "name"       // the host is not found
	NotPublic    Failure = "private"    // it is in no public network
	TooSlow      Failure = "timeout"    // it took longer than AttemptTime
	NotTrusted   Failure = "tls"        // its certificate is not valid
	NoConnection Failure = "connection" // everything else
)

// Failures lists every failure.
var Failures = []Failure{NoName, NotPublic, TooSlow, NotTrusted, NoConnection}

// Delivery is an event on its way to a webhook.
type Delivery struct {
	Event
	ID        core.WebhookDeliveryID
	CreatedAt time.Time
	DueAt     time.Time // of the next attempt; zero once it is delivered or given up
	Attempts  int
	Last      Result // of the attempts; zero before the first
}

// Delivered reports whether a receiver has taken the event.
func (d Delivery) Delivered() bool { return d.DueAt.IsZero() && d.Last.OK() }

// MessageID returns the header webhook-id.
func (d Delivery) MessageID() string { return "msg_" + d.Event.ID }

// Body returns the message, which is the same at each attempt.
func (d Delivery) Body() []byte {
	return []byte(`{"type":"` + string(d.Type) + `","timestamp":"` +
		d.CreatedAt.UTC().Format(time.RFC3339Nano) + `","data":` + d.Data + `}`)
}

// Result is the result of an attempt.
type Result struct {
	At         time.Time
	Took       time.Duration
	Status     int // of HTTP; 0 without an answer
	Failure    Failure
	Answer     string        // how it starts
	RetryAfter time.Duration // the receiver asks for; 0 for nothing
}

// OK reports whether the receiver has taken the event.
func (r Result) OK() bool { return r.Status >= 200 && r.Status < 300 }

const gone = 410

// Pause is how long to wait after an attempt that failed: as long as there have been attempts, within
// limits. share, from 0 to 1, spreads the second half of it.
func Pause(tried time.Duration, share float64) time.Duration {
	longest := min(max(tried, firstPause), longestPause)
	return longest/2 + time.Duration(share*float64(longest/2))
}

// After returns webhook and delivery after an attempt.
func (w Webhook) After(d Delivery, r Result, share float64, now time.Time) (Webhook, Delivery) {
	d.Attempts++
	d.Last, d.DueAt = r, time.Time{}
	switch {
	case r.OK():
		w.FailingSince, w.NotBefore = time.Time{}, time.Time{}
		if d.Type == Ping && w.State == Asked {
			w.State = On
		}
		return w, d
	case r.Status == gone:
		return w.off(Gone), d
	case d.Type == Ping && w.State == Asked:
		return w.off(Unanswered), d
	case w.State == Off:
		return w, d
	}
	if w.FailingSince.IsZero() {
		w.FailingSince = now
	}
	asked := min(max(r.RetryAfter, 0), LongestWait)
	if due := now.Add(max(Pause(now.Sub(d.CreatedAt), share), asked)); now.Sub(d.CreatedAt) < RetryFor {
		d.DueAt = due
	}
	failing := now.Sub(w.FailingSince)
	// Other events try earlier than this one does, and learn whether the receiver is back.
	w.NotBefore = now.Add(max(min(Pause(failing, share), time.Hour), asked))
	if failing >= RetryFor {
		return w.off(Failed), d
	}
	return w, d
}

func (w Webhook) off(why Reason) Webhook {
	w.State, w.Reason = Off, why
	return w
}

// Fallen returns the webhook with so many waiting events: off, when they are too many.
func (w Webhook) Fallen(waiting int) Webhook {
	if w.State == On && waiting > MaxWaiting {
		return w.off(Behind)
	}
	return w
}

// OffNotice returns the notice to the owner of a webhook that went off, and none of one whose owner waits for
// the ping.
func (w Webhook) OffNotice(before State, now time.Time) []notify.Notice {
	if w.State != Off || before == Off || w.Reason == Unanswered {
		return nil
	}
	return []notify.Notice{{User: w.Owner, Kind: notify.NoticeWebhookOff, Name: w.Host(),
		Message: string(w.Reason), State: notify.NoticePending, CreatedAt: now}}
}
