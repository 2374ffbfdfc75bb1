package kernel

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tradepost/core"
)

const (
	RetryTime      = 20 * time.Second       // for a write before the user reads that its outcome is not known
	answerLifetime = 14 * time.Minute       // from the interaction: Discord takes edits of an answer for 15 minutes
	tryTime        = 12 * time.Second       // for one attempt; the store gives up before
	tryPause       = 200 * time.Millisecond // after the first attempt; it doubles up to tryPauseMax
	tryPauseMax    = 5 * time.Second
	maxUnknown     = 256 // writes with unknown outcome that are checked at the same time
)

// retryingMarket repeats a write under its key until its outcome is known. It returns an error with Unknown set only
// when that cannot be found out while Discord still takes an answer, or the bot stops.
//
// It repeats for retryTime while the user waits. After that the interaction says that the outcome is not
// known yet, and it only checks: the user may do the same in another way meanwhile.
type retryingMarket struct {
	Market
	log     *slog.Logger
	retry   time.Duration
	unknown chan struct{} // takes one value for each write that is checked
	ending  func() <-chan struct{}
}

// NewRetryingMarket returns a market that repeats writes for the time of retry, until ending is closed.
func NewRetryingMarket(market Market, log *slog.Logger, retry time.Duration, ending func() <-chan struct{}) Market {
	return retryingMarket{
		Market: market, log: log, retry: retry, unknown: make(chan struct{}, maxUnknown), ending: ending,
	}
}

var (
	errNotSaved      = core.NewUnavailable(core.NewText("not_saved", "That was not saved. Please try again."))
	errCommitUnknown = core.NewCommitUnknown()
)

func retryWrite[T any](ctx context.Context, m retryingMarket, actor core.Actor, do func(context.Context) (T, error)) (T, error) {
	open := openOf(ctx)
	open.pause()
	defer open.resume()
	attempt := func() (T, error) {
		ctx, cancel := context.WithTimeout(ctx, tryTime)
		defer cancel()
		return do(ctx)
	}
	start, unknown := time.Now(), false
	pause := tryPause
	for {
		answer, err := attempt()
		unknown = unknown || maybeCommitted(err)
		if !unknown && core.KindOf(err) != core.Unavailable || unknown && definite(err) {
			return answer, err
		}
		if time.Since(start) > m.retry || !m.wait(ctx, &pause) {
			if !unknown {
				return answer, err // nothing was saved
			}
			break
		}
	}
	m.log.Warn("write outcome unknown", "retried_for", time.Since(start))
	if actor.Key == "" {
		return *new(T), errCommitUnknown
	}
	select {
	case m.unknown <- struct{}{}:
		defer func() { <-m.unknown }()
	default:
		return *new(T), errCommitUnknown
	}
	open.signalUnknown()
	for pause = tryPause; time.Now().Before(open.until) && m.wait(ctx, &pause); {
		happened, err := m.WasCommitted(ctx, actor)
		switch {
		case err != nil:
		case !happened:
			return *new(T), errNotSaved
		default:
			if answer, err := attempt(); definite(err) { // it is the first one's answer
				return answer, err
			}
		}
	}
	return *new(T), errCommitUnknown
}

// maybeCommitted reports whether an attempt that ended with err may have been committed.
func maybeCommitted(err error) bool {
	return core.CommitUnknown(err) || errors.Is(err, context.DeadlineExceeded)
}

// definite reports whether err, after an attempt of unknown outcome, decides whether the write happened: an attempt under
// the same key that returns an error has not found it.
func definite(err error) bool {
	kind := core.KindOf(err)
	return err == nil || kind != 0 && kind != core.Unavailable
}

// wait pauses between two attempts. It returns false when there is no time for another.
func (m retryingMarket) wait(ctx context.Context, pause *time.Duration) bool {
	timer := time.NewTimer(*pause)
	defer timer.Stop()
	*pause = min(2**pause, tryPauseMax)
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-m.ending():
	}
	return false
}

func (m retryingMarket) PostOrder(ctx context.Context, actor core.Actor, draft core.OrderDraft) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.PostOrder(ctx, actor, draft) })
}

func (m retryingMarket) OfferOnList(ctx context.Context, actor core.Actor, id core.ListID, draft core.ListOffer) ([]core.SendOfferResult, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.SendOfferResult, error) {
		return m.Market.OfferOnList(ctx, actor, id, draft)
	})
}

func (m retryingMarket) PostList(ctx context.Context, actor core.Actor, draft core.ListDraft) (core.PostedList, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.PostedList, error) { return m.Market.PostList(ctx, actor, draft) })
}

func (m retryingMarket) SetStanding(ctx context.Context, actor core.Actor, id core.OrderID, draft core.StandingDraft) (core.StandingAcceptance, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.StandingAcceptance, error) {
		return m.Market.SetStanding(ctx, actor, id, draft)
	})
}

func (m retryingMarket) EndStanding(ctx context.Context, actor core.Actor, id core.OrderID) error {
	_, err := retryWrite(ctx, m, actor, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, m.Market.EndStanding(ctx, actor, id)
	})
	return err
}

func (m retryingMarket) SetLeastRecord(ctx context.Context, actor core.Actor, id core.OrderID, least core.LeastRecord) error {
	_, err := retryWrite(ctx, m, actor, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, m.Market.SetLeastRecord(ctx, actor, id, least)
	})
	return err
}

func (m retryingMarket) EditOrder(ctx context.Context, actor core.Actor, id core.OrderID, edit core.OrderEdit) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.EditOrder(ctx, actor, id, edit) })
}

func (m retryingMarket) CloseOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.CloseOrder(ctx, actor, id) })
}

func (m retryingMarket) RenewOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.RenewOrder(ctx, actor, id) })
}

func (m retryingMarket) SendOffer(ctx context.Context, actor core.Actor, id core.OrderID, draft core.OfferDraft) (core.SendOfferResult, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.SendOfferResult, error) {
		return m.Market.SendOffer(ctx, actor, id, draft)
	})
}

func (m retryingMarket) AcceptOfferBy(ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time) (core.Acceptance, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Acceptance, error) {
		return m.Market.AcceptOfferBy(ctx, actor, id, qty, by)
	})
}

// AnswerOffers repeats each answer under its own key. Once the outcome of one is not known, the others are not tried.
func (m retryingMarket) AnswerOffers(
	ctx context.Context, actor core.Actor, answers []core.OfferAnswer,
) ([]core.OfferOutcome, error) {
	outcomes := make([]core.OfferOutcome, len(answers))
	away := false
	for i, answer := range answers {
		if outcomes[i] = (core.OfferOutcome{Offer: answer.Offer, Err: errNotSaved}); away {
			continue
		}
		outcome, err := retryWrite(ctx, m, actor.KeyedFor(answer.Offer), func(ctx context.Context) (core.OfferOutcome, error) {
			one, err := m.Market.AnswerOffers(ctx, actor, []core.OfferAnswer{answer})
			if err != nil {
				return core.OfferOutcome{}, err
			}
			return one[0], one[0].Err
		})
		outcome.Offer, outcome.Err = answer.Offer, err
		outcomes[i] = outcome
		away = core.KindOf(err) == core.Unavailable
	}
	return outcomes, nil
}

func (m retryingMarket) SayHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID, word core.Word) ([]core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.Handover, error) {
		return m.Market.SayHandovers(ctx, actor, sales, word)
	})
}

func (m retryingMarket) TakeBackWords(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.Handover, error) {
		return m.Market.TakeBackWords(ctx, actor, sales)
	})
}

func (m retryingMarket) LookAtDispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Handover, error) { return m.Market.LookAtDispute(ctx, actor, id) })
}

func (m retryingMarket) PostponeHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.Handover, error) {
		return m.Market.PostponeHandovers(ctx, actor, sales)
	})
}

func (m retryingMarket) AgreeHandover(ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time) (core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Handover, error) {
		return m.Market.AgreeHandover(ctx, actor, sale, by)
	})
}

func (m retryingMarket) SetMeetingPlace(ctx context.Context, actor core.Actor, partner core.UserID, place string) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.SetMeetingPlace(ctx, actor, partner, place) })
}

func (m retryingMarket) SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (string, error) { return m.Market.SetInGameName(ctx, actor, name) })
}

func (m retryingMarket) RuleDispute(ctx context.Context, actor core.Actor, id core.SaleID, ruling core.DisputeRuling) (core.Handover, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Handover, error) {
		return m.Market.RuleDispute(ctx, actor, id, ruling)
	})
}

func (m retryingMarket) AddWatch(ctx context.Context, actor core.Actor, draft core.WatchDraft) (core.Watch, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Watch, error) { return m.Market.AddWatch(ctx, actor, draft) })
}

func (m retryingMarket) PauseWatch(ctx context.Context, actor core.Actor, id core.WatchID, paused bool) (core.Watch, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Watch, error) {
		return m.Market.PauseWatch(ctx, actor, id, paused)
	})
}

func (m retryingMarket) SnoozeWatch(ctx context.Context, actor core.Actor, id core.WatchID, snooze core.Snooze) (core.Watch, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Watch, error) {
		return m.Market.SnoozeWatch(ctx, actor, id, snooze)
	})
}

func (m retryingMarket) LogSale(ctx context.Context, actor core.Actor, id core.OrderID, draft core.SaleDraft) (core.LogSaleResult, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.LogSaleResult, error) { return m.Market.LogSale(ctx, actor, id, draft) })
}

func (m retryingMarket) ReportOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) (core.ReportID, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.ReportID, error) {
		return m.Market.ReportOrder(ctx, actor, id, reason)
	})
}

func (m retryingMarket) ReportOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) (core.ReportID, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.ReportID, error) {
		return m.Market.ReportOffer(ctx, actor, id, reason)
	})
}

func (m retryingMarket) SetNoticeSettings(ctx context.Context, actor core.Actor, s core.NoticeSettings) (core.NoticeSettings, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.NoticeSettings, error) {
		return m.Market.SetNoticeSettings(ctx, actor, s)
	})
}

func (m retryingMarket) UndoSale(ctx context.Context, actor core.Actor, id core.SaleID) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.UndoSale(ctx, actor, id) })
}

func (m retryingMarket) UndoClose(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Order, error) { return m.Market.UndoClose(ctx, actor, id) })
}

// retryWriteOnly is retryWrite for writes whose answer is only that they are done.
func retryWriteOnly(ctx context.Context, m retryingMarket, actor core.Actor, do func(context.Context) error) error {
	_, err := retryWrite(ctx, m, actor, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
	return err
}

func (m retryingMarket) DeleteOrder(ctx context.Context, actor core.Actor, id core.OrderID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.DeleteOrder(ctx, actor, id) })
}

func (m retryingMarket) DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.DeleteOffer(ctx, actor, id) })
}

func (m retryingMarket) UndoOffer(ctx context.Context, actor core.Actor, id core.OfferID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.UndoOffer(ctx, actor, id) })
}

func (m retryingMarket) RemoveOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.RemoveOrder(ctx, actor, id, reason) })
}

func (m retryingMarket) RemoveOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.RemoveOffer(ctx, actor, id, reason) })
}

func (m retryingMarket) DismissReport(ctx context.Context, actor core.Actor, id core.ReportID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.DismissReport(ctx, actor, id) })
}

func (m retryingMarket) DecideReport(
	ctx context.Context, actor core.Actor, id core.ReportID, decision core.ReportDecision, reason string,
) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error {
		return m.Market.DecideReport(ctx, actor, id, decision, reason)
	})
}

func (m retryingMarket) UndoRemoval(ctx context.Context, actor core.Actor, id core.AuditID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.UndoRemoval(ctx, actor, id) })
}

func (m retryingMarket) BlockUser(ctx context.Context, actor core.Actor, id core.UserID, reason string) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.BlockUser(ctx, actor, id, reason) })
}

func (m retryingMarket) SetAside(ctx context.Context, actor core.Actor, names []string, reason string) ([]core.User, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.User, error) { return m.Market.SetAside(ctx, actor, names, reason) })
}

func (m retryingMarket) CountAgain(ctx context.Context, actor core.Actor, id core.RingID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.CountAgain(ctx, actor, id) })
}

func (m retryingMarket) Vouch(ctx context.Context, actor core.Actor, id core.UserID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.Vouch(ctx, actor, id) })
}

func (m retryingMarket) UnblockUser(ctx context.Context, actor core.Actor, id core.UserID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.UnblockUser(ctx, actor, id) })
}

func (m retryingMarket) SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.SetSignedInOnly(ctx, actor, on, reason) })
}

func (m retryingMarket) DecideItem(ctx context.Context, actor core.Actor, id core.ItemID, decision core.ItemDecision, into core.ItemID) (core.Item, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Item, error) {
		return m.Market.DecideItem(ctx, actor, id, decision, into)
	})
}

func (m retryingMarket) BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.BlockSeller(ctx, actor, id) })
}

func (m retryingMarket) UnblockSeller(ctx context.Context, actor core.Actor, seller core.UserID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.UnblockSeller(ctx, actor, seller) })
}

// Leave has no key: a second time changes nothing.
func (m retryingMarket) Leave(ctx context.Context, actor core.Actor) (user core.User, err error) {
	err = retryWriteOnly(ctx, m, core.Actor{}, func(ctx context.Context) error {
		user, err = m.Market.Leave(ctx, actor)
		return err
	})
	return user, err
}

func (m retryingMarket) CancelLeaving(ctx context.Context, actor core.Actor) error {
	return retryWriteOnly(ctx, m, core.Actor{}, func(ctx context.Context) error { return m.Market.CancelLeaving(ctx, actor) })
}

func (m retryingMarket) SendTestNotice(ctx context.Context, actor core.Actor) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.SendTestNotice(ctx, actor) })
}

func (m retryingMarket) SaveStock(ctx context.Context, actor core.Actor, drafts []core.StockDraft) ([]core.Stock, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) ([]core.Stock, error) { return m.Market.SaveStock(ctx, actor, drafts) })
}

func (m retryingMarket) ConfirmStock(ctx context.Context, actor core.Actor) (int, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (int, error) { return m.Market.ConfirmStock(ctx, actor) })
}

func (m retryingMarket) SnoozeStock(ctx context.Context, actor core.Actor, alert core.NoticeID, snooze core.Snooze) (core.Stock, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Stock, error) {
		return m.Market.SnoozeStock(ctx, actor, alert, snooze)
	})
}

func (m retryingMarket) StopStock(ctx context.Context, actor core.Actor, alert core.NoticeID) (core.Stock, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Stock, error) { return m.Market.StopStock(ctx, actor, alert) })
}

func (m retryingMarket) AlertStock(ctx context.Context, actor core.Actor, id core.StockID, on bool) (core.Stock, error) {
	return retryWrite(ctx, m, actor, func(ctx context.Context) (core.Stock, error) { return m.Market.AlertStock(ctx, actor, id, on) })
}

func (m retryingMarket) DeleteStock(ctx context.Context, actor core.Actor, id core.StockID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.DeleteStock(ctx, actor, id) })
}

func (m retryingMarket) DeleteWatch(ctx context.Context, actor core.Actor, id core.WatchID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.DeleteWatch(ctx, actor, id) })
}

func (m retryingMarket) MuteBuyer(ctx context.Context, actor core.Actor, id core.NoticeID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.MuteBuyer(ctx, actor, id) })
}

func (m retryingMarket) UnmuteBuyer(ctx context.Context, actor core.Actor, buyer core.UserID) error {
	return retryWriteOnly(ctx, m, actor, func(ctx context.Context) error { return m.Market.UnmuteBuyer(ctx, actor, buyer) })
}
