package trades

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// threadsPause is the key of channelSync.notBefore for all threads while Discord does not answer. No
// channel is called like that.
const threadsPause = "trade threads"

// threadWaits is the time that the end of a thread waits for notices that are still to be sent there.
const threadWaits = 10 * time.Second

// threadSync makes, redraws and archives the threads of trades.
type threadSync struct {
	Trades
	*channelsync.Sync
	threads TradeThreads
}

// NewThreadSync returns the loop of the threads in a store.
func NewThreadSync(k *kernel.Kernel, threads TradeThreads, s *channelsync.Sync) threadSync {
	return threadSync{New(k), s, threads}
}

// KeepThreads makes the threads of new trades, redraws the threads of changed trades, and archives the
// threads of trades that are over.
func (k threadSync) KeepThreads(ctx context.Context) error {
	if !k.Features.Threads || k.Paused(threadsPause) {
		return nil
	}
	due, err := k.threads.DueTradeThreads(ctx, k.Now(), channelsync.PassBatch)
	if err != nil {
		return fmt.Errorf("due trade threads: %w", err)
	}
	for _, th := range due {
		began := k.Now()
		th, mine, err := k.threads.StartTradeThread(ctx, th, began)
		if err != nil {
			return fmt.Errorf("start trade thread: %w", err)
		}
		if !mine {
			continue
		}
		again, failed := k.tradeThread(ctx, th)
		limit := discord.RetryAfter(failed)
		if failed != nil {
			wait := max(channelsync.PassEvery, limit)
			again = k.Now().Add(wait)
			k.Log.Warn("trade threads: sync failed", "sale", th.Sale, "error", failed, "wait", wait)
		}
		if err := k.leaveThread(ctx, th.Sale, began, again); err != nil {
			return fmt.Errorf("leave trade thread: %w", err)
		}
		// Another limit applies to this thread, or to a place that it needs.
		if failed != nil && (limit == 0 || discord.IsUnauthorized(failed)) {
			k.Pause(threadsPause, max(channelsync.PassEvery, limit))
			return nil
		}
	}
	return nil
}

// leaveThread ends an attempt, also when the program ends: the next one need not wait for its lease.
func (k threadSync) leaveThread(ctx context.Context, sale core.SaleID, began, again time.Time) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), channelsync.PassEvery)
	defer cancel()
	return k.threads.LeaveTradeThread(ctx, sale, began, again)
}

// tradeThread does what is due about one thread. It returns when it is due again by itself, zero for not.
func (k threadSync) tradeThread(ctx context.Context, th channels.TradeThread) (again time.Time, err error) {
	if wait := k.Edits.Wait(th.MessageID, th.Over(), k.Now()); wait > 0 {
		return k.Now().Add(wait), nil
	}
	switch {
	case th.Over() && th.Waiting && !th.Ended:
		return k.Now().Add(threadWaits), k.redrawThread(ctx, th)
	case th.Over():
		return time.Time{}, k.closeThread(ctx, th)
	case th.MessageID == "":
		return time.Time{}, k.openThread(ctx, th)
	}
	return time.Time{}, k.redrawThread(ctx, th)
}

// openThread makes the thread of a trade, adds both sides and sends the receipt. Where that is not possible
// the thread is forgotten, and the notices of the trade are sent as direct messages.
func (k threadSync) openThread(ctx context.Context, th channels.TradeThread) error {
	buyer, err := k.threads.Mailbox(ctx, th.Handover.Buyer.User)
	if err != nil {
		return fmt.Errorf("buyer of sale %d: %w", th.Sale, err)
	}
	seller, err := k.threads.Mailbox(ctx, th.Handover.Seller.User)
	if err != nil {
		return fmt.Errorf("seller of sale %d: %w", th.Sale, err)
	}
	if th.ThreadID == "" {
		if th, err = k.makeThread(ctx, th, buyer, seller); err != nil {
			return err
		}
		if th.ThreadID == "" {
			return k.threads.RemoveTradeThread(ctx, th.Sale)
		}
	}
	for _, side := range []notify.Mailbox{buyer, seller} {
		if err := k.Discord.AddToThread(ctx, th.ThreadID, side.DiscordID); err != nil {
			return k.notThere(ctx, th, err)
		}
	}
	if err := k.sendReceipt(ctx, &th, buyer, seller); err != nil {
		return k.notThere(ctx, th, err)
	}
	_, err = k.threads.OpenTradeThread(ctx, th, k.Now()) // the next pass archives a thread that was given up
	return err
}

// sendReceipt sends the receipt of a trade to its thread once. It pings both sides, unless it is night for
// them.
func (k threadSync) sendReceipt(
	ctx context.Context, th *channels.TradeThread, buyer, seller notify.Mailbox,
) error {
	reply, err := k.receiptOfThread(ctx, *th, buyer, seller)
	if err != nil {
		return err
	}
	if !th.StartedAt.IsZero() {
		th.MessageID, err = k.Discord.FindMessage(ctx, th.ThreadID, ownReceiptID(th.Sale), time.Time{})
		if err != nil || th.MessageID != "" {
			return err
		}
	}
	body := reply.Message()
	for _, side := range []notify.Mailbox{buyer, seller} {
		if _, quiet := side.Settings.Quiet(k.Now()); !quiet {
			body.PingUsers = append(body.PingUsers, side.DiscordID)
		}
	}
	th.MessageID, err = k.Discord.SendMessage(ctx, th.ThreadID, body, th.Nonce())
	return err
}

var errThreadGivenUp = errors.New("the thread was given up meanwhile")

// makeThread makes a thread in the first place of the order where both sides are members and the bot has the
// permissions, or finds the thread of an earlier attempt. It returns a thread without an ID where there is no
// such place.
func (k threadSync) makeThread(
	ctx context.Context, th channels.TradeThread, buyer, seller notify.Mailbox,
) (channels.TradeThread, error) {
	told, err := k.threads.AcceptWasDelivered(ctx, th.Sale)
	if err != nil || told {
		return th, err
	}
	places, err := k.threads.ThreadPlaces(ctx, th.Sale)
	if err != nil {
		return th, fmt.Errorf("places of sale %d: %w", th.Sale, err)
	}
	for _, place := range places {
		id, err := k.threadIn(ctx, th, place, buyer, seller)
		if discord.IsRefusal(err) {
			k.Log.Info("trade threads: not possible here", "sale", th.Sale, "channel", place.ChannelID,
				"error", err)
			continue
		}
		if err != nil {
			return th, err
		}
		if id == "" {
			continue
		}
		th.ThreadID, th.GuildID, th.ChannelID, th.Locale = id, place.GuildID, place.ChannelID, place.Locale
		kept, err := k.threads.SaveTradeThread(ctx, th)
		if err == nil && !kept {
			err = errors.Join(errThreadGivenUp, k.Discord.ArchiveThread(ctx, id))
		}
		return th, err
	}
	return th, nil
}

// threadIn makes or finds the thread of a trade in a place. It returns nothing where there can be none.
func (k threadSync) threadIn(
	ctx context.Context, th channels.TradeThread, place channels.ThreadPlace, buyer, seller notify.Mailbox,
) (string, error) {
	name := threadName(k.Translator(place.Locale), *th.Handover)
	if !th.StartedAt.IsZero() {
		found, err := k.Discord.FindPrivateThread(ctx, place.GuildID, place.ChannelID, name, th.StartedAt)
		if err != nil || found != "" {
			return found, err
		}
	}
	for _, side := range []notify.Mailbox{buyer, seller} {
		there, err := k.Discord.IsMember(ctx, place.GuildID, side.DiscordID)
		if err != nil || !there {
			return "", err
		}
	}
	if takes, err := k.Discord.TakesPrivateThreads(ctx, place.ChannelID); err != nil || !takes {
		return "", err
	}
	return k.Discord.CreatePrivateThread(ctx, place.ChannelID, name)
}

// threadName returns the name of a thread: no other has the number.
func threadName(t kernel.Translator, h trade.Handover) string {
	suffix := fmt.Sprintf(" · #%d", h.Sale)
	return discord.Clip(t.Plain(msg.OfferTitle, h.Quantity, h.ItemName),
		discord.MaxOptionLabel-discord.Size(suffix)) + suffix
}

// notThere forgets a thread in which the trade can't be, as when a side may not see its channel.
func (k threadSync) notThere(ctx context.Context, th channels.TradeThread, why error) error {
	if !discord.IsRefusal(why) {
		return why
	}
	k.Log.Info("trade threads: not possible here", "sale", th.Sale, "thread", th.ThreadID, "error", why)
	if err := k.Discord.ArchiveThread(ctx, th.ThreadID); err != nil && !discord.IsRefusal(err) {
		return err
	}
	return k.threads.RemoveTradeThread(ctx, th.Sale)
}

func (k threadSync) redrawThread(ctx context.Context, th channels.TradeThread) error {
	if th.MessageID == "" {
		return nil
	}
	reply, err := k.receiptOfThread(ctx, th, k.sideOf(ctx, th, trust.BuyerSide),
		k.sideOf(ctx, th, trust.SellerSide))
	if err != nil {
		return err
	}
	_, err = k.Edit(ctx, th.ThreadID, th.MessageID, reply.Message())
	if discord.IsRefusal(err) {
		// it was deleted, or the bot may not write there: what comes next is sent as a direct message
		return nil
	}
	if err != nil {
		k.Edits.Failed(th.MessageID, err, k.Now())
	}
	return err
}

// sideOf returns the mailbox of a side of a trade; it is empty for a user who has left.
func (k threadSync) sideOf(ctx context.Context, th channels.TradeThread, side trust.Side) notify.Mailbox {
	if th.Handover == nil || th.Handover.On(side).User == 0 {
		return notify.Mailbox{}
	}
	box, err := k.threads.Mailbox(ctx, th.Handover.On(side).User)
	if err != nil {
		k.Log.Warn("trade threads: language not known", "sale", th.Sale, "error", err)
	}
	return box
}

// receiptOfThread draws the receipt in the language of both sides, or in the server's language where theirs
// differ.
func (k threadSync) receiptOfThread(
	ctx context.Context, th channels.TradeThread, buyer, seller notify.Mailbox,
) (kernel.Reply, error) {
	locale := th.Locale
	if buyer.Locale == seller.Locale && buyer.Locale != "" {
		locale = buyer.Locale
	}
	var receipt trade.Receipt
	if h := th.Handover; h != nil {
		reader := h.Buyer.User
		if reader == 0 {
			reader = h.Seller.User
		}
		if reader != 0 {
			found, err := k.Market.Trade.Receipts(ctx, core.Actor{UserID: reader},
				trade.ReceiptQuery{Before: th.Sale + 1, Limit: 1})
			if err != nil {
				return kernel.Reply{}, fmt.Errorf("receipt of sale %d: %w", th.Sale, err)
			}
			if len(found) == 1 && found[0].ID == th.Sale {
				receipt = found[0]
			}
		}
		accounts := k.Accounts(ctx, h.Buyer.User, h.Seller.User)
		receipt.Buyer.Account, receipt.Seller.Account = accounts[h.Buyer.User], accounts[h.Seller.User]
	}
	return k.threadReceipt(k.Translator(locale), th, receipt), nil
}

// closeThread draws a thread a last time, archives it and forgets it.
func (k threadSync) closeThread(ctx context.Context, th channels.TradeThread) error {
	if th.ThreadID == "" && !th.StartedAt.IsZero() && th.Handover != nil {
		if err := k.findLost(ctx, &th); err != nil {
			return err
		}
	}
	if th.ThreadID != "" {
		if err := k.redrawThread(ctx, th); err != nil {
			return err
		}
		if err := k.Discord.ArchiveThread(ctx, th.ThreadID); err != nil && !discord.IsRefusal(err) {
			return err
		}
	}
	return k.threads.RemoveTradeThread(ctx, th.Sale)
}

// findLost looks for a thread that an attempt with a lost answer may have made.
func (k threadSync) findLost(ctx context.Context, th *channels.TradeThread) error {
	places, err := k.threads.ThreadPlaces(ctx, th.Sale)
	if err != nil {
		return fmt.Errorf("places of sale %d: %w", th.Sale, err)
	}
	for _, place := range places {
		name := threadName(k.Translator(place.Locale), *th.Handover)
		th.ThreadID, err = k.Discord.FindPrivateThread(ctx, place.GuildID, place.ChannelID, name,
			th.StartedAt)
		if th.ThreadID != "" {
			return nil
		}
		if err != nil && !discord.IsRefusal(err) {
			return err
		}
	}
	return nil
}
