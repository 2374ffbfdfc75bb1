package postgres

import (
	"tradepost/core"
	"tradepost/core/cache"
)

// peopleStore reads and writes accounts, sessions and skills.
type peopleStore struct{ *DB }

// newPeopleStore returns the store of a connection.
func newPeopleStore(on *DB) *peopleStore { return &peopleStore{on} }

// peopleTx is the store inside a transaction.
type peopleTx struct{ *Tx }

// newPeopleTx returns the store inside a transaction.
func newPeopleTx(in *Tx) *peopleTx { return &peopleTx{in} }

// itemsStore reads and writes the catalogue and prices.
type itemsStore struct {
	*DB
	items itemIndex
}

// newItemsStore returns the store of a connection.
func newItemsStore(on *DB) *itemsStore {
	s := &itemsStore{DB: on}
	s.items.entry = cache.NewEntry[readItems](on.Feed().Cache(), cache.Items)
	return s
}

// itemsTx is the store inside a transaction.
type itemsTx struct{ *Tx }

// newItemsTx returns the store inside a transaction.
func newItemsTx(in *Tx) *itemsTx { return &itemsTx{in} }

// notifyStore reads and writes notices and mailboxes.
type notifyStore struct{ *DB }

// newNotifyStore returns the store of a connection.
func newNotifyStore(on *DB) *notifyStore { return &notifyStore{on} }

// notifyTx is the store inside a transaction.
type notifyTx struct{ *Tx }

// newNotifyTx returns the store inside a transaction.
func newNotifyTx(in *Tx) *notifyTx { return &notifyTx{in} }

// trustStore reads and writes established traders, rings and blocked sellers.
type trustStore struct{ *DB }

// newTrustStore returns the store of a connection.
func newTrustStore(on *DB) *trustStore { return &trustStore{on} }

// trustTx is the store inside a transaction.
type trustTx struct{ *Tx }

// newTrustTx returns the store inside a transaction.
func newTrustTx(in *Tx) *trustTx { return &trustTx{in} }

// tradeStore reads and writes orders, offers, sales and handovers.
type tradeStore struct{ *DB }

// newTradeStore returns the store of a connection.
func newTradeStore(on *DB) *tradeStore { return &tradeStore{on} }

// tradeTx is the store inside a transaction.
type tradeTx struct {
	*Tx
	handoverTx

	// What this transaction has locked or read, in its present state.
	locked map[core.OrderID]core.Order
	offers map[core.OfferID]core.Offer
}

// handoverTx reads and writes handovers inside a transaction.
type handoverTx struct{ *Tx }

// newTradeTx returns the store inside a transaction.
func newTradeTx(in *Tx) *tradeTx {
	return &tradeTx{
		Tx: in, handoverTx: handoverTx{in}, locked: map[core.OrderID]core.Order{}, offers: map[core.OfferID]core.Offer{},
	}
}

// matchStore reads and writes lists, counts, watches and stock.
type matchStore struct {
	*DB
	kept       keptTotals
	totals     *cache.Entry[openTotals]
	matches    filterEntries[matches]
	categories filterEntries[core.CategoryCounts]
	found      filterEntries[found]
	vocabulary vocabulary
}

// newMatchStore returns the store of a connection.
func newMatchStore(on *DB) *matchStore {
	s := &matchStore{DB: on}
	s.found.most = 100
	s.totals = cache.NewEntry[openTotals](on.Feed().Cache(), cache.Lists)
	s.vocabulary.entry = cache.NewEntry[readWords](on.Feed().Cache(), cache.Lists)
	return s
}

// matchTx is the store inside a transaction.
type matchTx struct{ *Tx }

// newMatchTx returns the store inside a transaction.
func newMatchTx(in *Tx) *matchTx { return &matchTx{in} }

// moderationStore reads and writes reports, removals, blocks and the log.
type moderationStore struct{ *DB }

// newModerationStore returns the store of a connection.
func newModerationStore(on *DB) *moderationStore { return &moderationStore{on} }

// moderationTx is the store inside a transaction.
type moderationTx struct{ *Tx }

// newModerationTx returns the store inside a transaction.
func newModerationTx(in *Tx) *moderationTx { return &moderationTx{in} }

// channelsStore reads and writes posts in Discord's channels and direct messages.
type channelsStore struct{ *DB }

// newChannelsStore returns the store of a connection.
func newChannelsStore(on *DB) *channelsStore { return &channelsStore{on} }

// channelsTx is the store inside a transaction.
type channelsTx struct {
	*Tx
	given  map[core.NoticeID]*core.DeliveryID // the direct message that a locked notice was given to
	reader core.UserID                        // of the locked mailbox
}

// newChannelsTx returns the store inside a transaction.
func newChannelsTx(in *Tx) *channelsTx {
	return &channelsTx{Tx: in, given: map[core.NoticeID]*core.DeliveryID{}}
}

// upkeepStore reads and writes retention, cleanup, leaving and the canary.
type upkeepStore struct{ *DB }

// newUpkeepStore returns the store of a connection.
func newUpkeepStore(on *DB) *upkeepStore { return &upkeepStore{on} }

// upkeepTx is the store inside a transaction.
type upkeepTx struct{ *Tx }

// newUpkeepTx returns the store inside a transaction.
func newUpkeepTx(in *Tx) *upkeepTx { return &upkeepTx{in} }
