package trades

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// threadWaits is the time that the end of a thread waits for notices that are still to be sent there.
const threadWaits = 10 * time.Second

// threadSync finds the threads of trades that are due.
type threadSync struct {
	Trades
	*channelsync.Sync
	threads TradeThreads
}

// ThreadLoop returns the loop that makes the threads of new trades, redraws the threads of changed trades,
// and archives the threads of trades that are over. A receipt is never posted again.
func ThreadLoop(k *kernel.Kernel, threads TradeThreads, s *channelsync.Sync) channelsync.Loop {
	return channelsync.Loop{
		Name: "trade threads", Channels: channelsync.Everything(threadSync{New(k), s, threads}.due),
	}
}

func (k threadSync) due(ctx context.Context, _ channels.HeldEdits) ([]channelsync.Thing, error) {
	if !k.Features.Threads {
		return nil, nil
	}
	due, err := k.threads.DueTradeThreads(ctx, k.Now(), channelsync.PassBatch)
	things := make([]channelsync.Thing, len(due))
	for i, th := range due {
		t := &tradeThread{threadSync: k, th: th}
		things[i] = channelsync.Thing{Unsent: th.MessageID == "", Desired: t.desired,
			Send: t.send, Edit: t.edit, Shown: t.shown, End: t.end, Leave: t.leave}
	}
	return things, err
}

// tradeThread keeps the thread of one trade in step, in one attempt.
type tradeThread struct {
	threadSync
	th    channels.TradeThread
	mine  bool // no other program has an attempt at it
	began time.Time
	again time.Duration     // after which the thread is due again by itself; zero for not
	sides [2]notify.Mailbox // of trust.Sides; empty for a user who has left
}

func (t *tradeThread) desired(ctx context.Context) (_ *channelsync.Desired, err error) {
	t.began = t.Now()
	if t.th, t.mine, err = t.threads.StartTradeThread(ctx, t.th, t.began); err != nil || !t.mine {
		return nil, err
	}
	d := &channelsync.Desired{MessageID: t.th.MessageID, Over: t.th.Over(), Turns: t.th.Over()}
	if d.Over && t.th.Waiting && !t.th.Ended {
		if d.Over, t.again = false, threadWaits; d.MessageID == "" {
			return nil, nil
		}
	}
	for i, side := range trust.Sides {
		if h := t.th.Trade; h != nil && h.On(side).User != 0 {
			if t.sides[i], err = t.threads.Mailbox(ctx, h.On(side).User); err != nil {
				return nil, err
			}
		}
	}
	if d.MessageID != "" { // the place of a new thread says in which language its receipt is
		d.Body = t.receipt()
	}
	return d, nil
}

// send makes the thread, adds both sides and sends the receipt. Where that is not possible the thread is
// forgotten, and the notices of the trade are sent as direct messages.
func (t *tradeThread) send(ctx context.Context, _ discord.Message) (messageID string, err error) {
	if t.th.ThreadID == "" {
		if err := t.makeThread(ctx); err != nil {
			return "", err
		}
		if t.th.ThreadID == "" {
			return "", t.threads.RemoveTradeThread(ctx, t.th.Sale)
		}
	}
	for _, side := range t.sides {
		if err == nil {
			err = t.Discord.AddToThread(ctx, t.th.ThreadID, side.DiscordID)
		}
	}
	if err == nil {
		messageID, err = t.sendReceipt(ctx)
	}
	if discord.IsRefusal(err) { // as when a side may not see the channel
		t.Log.Info("trade threads: not possible here", "sale", t.th.Sale, "thread", t.th.ThreadID,
			"error", err)
		return "", t.archive(ctx)
	}
	return messageID, err
}

// sendReceipt sends the receipt of the trade to its thread once. It pings both sides, unless it is night for
// them.
func (t *tradeThread) sendReceipt(ctx context.Context) (messageID string, err error) {
	body := t.receipt()
	for _, side := range t.sides {
		if _, quiet := side.Settings.Quiet(t.Now()); !quiet {
			body.PingUsers = append(body.PingUsers, side.DiscordID)
		}
	}
	return t.SendOnce(ctx, channelsync.Once{
		ChannelID: t.th.ThreadID, Nonce: t.th.Nonce(), Press: ownReceiptID(t.th.Sale),
		StartedAt: t.th.StartedAt,
	}, body)
}

func (t *tradeThread) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	return t.EditMessage(ctx, t.th.ThreadID, t.th.MessageID, body, discord.IsRefusal)
}

// shown stores that the receipt is in the thread. The next pass archives a thread that was given up
// meanwhile.
func (t *tradeThread) shown(ctx context.Context, messageID string) (err error) {
	if t.th.MessageID == "" {
		t.th.MessageID = messageID
		_, err = t.threads.OpenTradeThread(ctx, t.th, t.Now())
	}
	return err
}

// end archives the thread and forgets it. The thread of a trade that is not over stays without its
// receipt, and where the bot may not write there, later messages are direct messages.
func (t *tradeThread) end(ctx context.Context, gone bool) error {
	if gone && (!t.th.Over() || t.again > 0) {
		return nil
	}
	if t.th.ThreadID == "" && !t.th.StartedAt.IsZero() && t.th.Trade != nil {
		if err := t.findThread(ctx, false); err != nil {
			return err
		}
	}
	return t.archive(ctx)
}

func (t *tradeThread) archive(ctx context.Context) error {
	if t.th.ThreadID != "" {
		if err := t.Discord.ArchiveThread(ctx, t.th.ThreadID); err != nil && !discord.IsRefusal(err) {
			return err
		}
	}
	return t.threads.RemoveTradeThread(ctx, t.th.Sale)
}

// leave ends the attempt, also when the program ends: the next one need not wait for its lease.
func (t *tradeThread) leave(ctx context.Context, wait time.Duration) error {
	if !t.mine {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), channelsync.PassEvery)
	defer cancel()
	var again time.Time
	if wait = cmp.Or(wait, t.again); wait > 0 {
		again = t.Now().Add(wait)
	}
	return t.threads.LeaveTradeThread(ctx, t.th.Sale, t.began, again)
}

var errThreadGivenUp = errors.New("the thread was given up meanwhile")

// makeThread makes the thread and stores its place. It stays without an ID where it cannot be.
func (t *tradeThread) makeThread(ctx context.Context) error {
	told, err := t.threads.AcceptWasDelivered(ctx, t.th.Sale)
	if err == nil && !told {
		err = t.findThread(ctx, true)
	}
	if err != nil || t.th.ThreadID == "" {
		return err
	}
	kept, err := t.threads.SaveTradeThread(ctx, t.th)
	if err == nil && !kept {
		err = errors.Join(errThreadGivenUp, t.Discord.ArchiveThread(ctx, t.th.ThreadID))
	}
	return err
}

// findThread finds the thread that an earlier attempt has made, or makes it in the first place of the order
// where both sides are members and the bot has the permissions.
func (t *tradeThread) findThread(ctx context.Context, orMake bool) error {
	places, err := t.threads.ThreadPlaces(ctx, t.th.Sale)
	if err != nil {
		return fmt.Errorf("places of sale %d: %w", t.th.Sale, err)
	}
	for _, place := range places {
		id, err := t.threadIn(ctx, place, orMake)
		switch {
		case discord.IsRefusal(err):
			t.Log.Info("trade threads: not possible here", "sale", t.th.Sale, "channel", place.ChannelID,
				"error", err)
		case err != nil:
			return err
		case id != "":
			t.th.ThreadID, t.th.GuildID, t.th.ChannelID = id, place.GuildID, place.ChannelID
			t.th.Locale = place.Locale
			return nil
		}
	}
	return nil
}

// threadIn finds or makes the thread of a trade in a place. It returns nothing where there can be none.
func (t *tradeThread) threadIn(
	ctx context.Context, place channels.ThreadPlace, orMake bool,
) (string, error) {
	name := threadName(t.Translator(place.Locale), *t.th.Trade)
	if !t.th.StartedAt.IsZero() {
		found, err := t.Discord.FindPrivateThread(ctx, place.GuildID, place.ChannelID, name, t.th.StartedAt)
		if err != nil || found != "" || !orMake {
			return found, err
		}
	}
	for _, side := range t.sides {
		there, err := t.Discord.IsMember(ctx, place.GuildID, side.DiscordID)
		if err != nil || !there {
			return "", err
		}
	}
	if takes, err := t.Discord.TakesPrivateThreads(ctx, place.ChannelID); err != nil || !takes {
		return "", err
	}
	return t.Discord.CreatePrivateThread(ctx, place.ChannelID, name)
}

// threadName returns the name of a thread: no other has the number.
func threadName(t kernel.Translator, h trade.Trade) string {
	suffix := fmt.Sprintf(" · #%d", h.Sale)
	return discord.Clip(t.Plain(msg.OfferTitle, "quantity", h.Quantity, "item", h.ItemName),
		discord.MaxOptionLabel-discord.Size(suffix)) + suffix
}

// receipt draws the receipt in the language of both sides, or in the server's language where theirs
// differ.
func (t *tradeThread) receipt() discord.Message {
	locale := t.th.Locale
	if own := t.sides[0].Locale; own == t.sides[1].Locale && own != "" {
		locale = own
	}
	th := t.th
	if th.Trade != nil {
		marked := t.Market.MarkTrade(*th.Trade)
		if marked.State == trust.HandoverCancelled { // it has no receipt
			marked.Buyer.Typed, marked.Seller.Typed = trade.Typed{}, trade.Typed{}
		}
		th.Trade = &marked
	}
	return t.threadReceipt(t.Translator(locale), th).Message()
}
