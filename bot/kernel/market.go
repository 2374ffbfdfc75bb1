package kernel

import (
	"context"
	"time"

	"tradepost/core"
)

// Market is what the bot needs of the core. *core.Market is one.
type Market interface {
	SignIn(ctx context.Context, p core.Profile) (core.User, error)

	UnusualPrice(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (*core.UnusualPrice, error)
	PreviewOrder(actor core.Actor, draft core.OrderDraft) (core.Order, error)
	PostOrder(ctx context.Context, actor core.Actor, draft core.OrderDraft) (core.Order, error)
	EditOrder(ctx context.Context, actor core.Actor, id core.OrderID, edit core.OrderEdit) (core.Order, error)
	PreviewList(ctx context.Context, actor core.Actor, draft core.ListDraft) (core.PostedList, error)
	ListFixes(ctx context.Context, actor core.Actor, text string) ([]core.ListFix, error)
	Records(ctx context.Context, users ...core.UserID) (core.Records, error)
	TraderPage(ctx context.Context, id core.UserID) (core.TraderPage, error)
	FindTrader(ctx context.Context, username string) (core.TraderPage, error)
	SetStanding(ctx context.Context, actor core.Actor, id core.OrderID, draft core.StandingDraft) (core.StandingAcceptance, error)
	EndStanding(ctx context.Context, actor core.Actor, id core.OrderID) error
	SetLeastRecord(ctx context.Context, actor core.Actor, id core.OrderID, least core.LeastRecord) error
	OfferOnList(ctx context.Context, actor core.Actor, id core.ListID, draft core.ListOffer) ([]core.SendOfferResult, error)
	PostList(ctx context.Context, actor core.Actor, draft core.ListDraft) (core.PostedList, error)
	PostedList(ctx context.Context, actor core.Actor, id core.ListID) (core.PostedList, error)
	CloseOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	RenewOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	DeleteOrder(ctx context.Context, actor core.Actor, id core.OrderID) error
	Order(ctx context.Context, actor core.Actor, id core.OrderID) (core.ListedOrder, error)
	BrowseOrders(ctx context.Context, q core.OrderQuery) (core.OrderPage, error)
	BrowseFillable(ctx context.Context, actor core.Actor, q core.OrderQuery) (core.OrderPage, error)
	OwnOrders(ctx context.Context, actor core.Actor, q core.OrderQuery) (core.OrderPage, error)
	Skills(ctx context.Context, actor core.Actor) ([]core.Skill, error)
	CountOrders(ctx context.Context, f core.OrderFilter) (core.CategoryCounts, error)
	Counts(ctx context.Context, actor core.Actor) (core.Counts, error)
	ItemNames(ctx context.Context, actor core.Actor, text string, limit int) ([]string, error)
	CompleteItems(ctx context.Context, text string) ([]core.Item, error)
	NameItem(ctx context.Context, text string) (named, near *core.Item, err error)
	ItemsMeant(ctx context.Context, text string) (core.MeantItems, error)
	MeantItem(ctx context.Context, text string) string
	Item(ctx context.Context, id core.ItemID) (core.Item, error)
	ItemPrices(ctx context.Context, id core.ItemID, daily bool) (core.ItemPrices, error)
	ItemOdds(ctx context.Context, id core.ItemID) (core.ItemOdds, error)
	ProvisionalItems(ctx context.Context, actor core.Actor, after core.ItemID, limit int) ([]core.ProvisionalItem, error)
	DecideItem(ctx context.Context, actor core.Actor, id core.ItemID, decision core.ItemDecision, into core.ItemID) (core.Item, error)

	Stock(ctx context.Context, actor core.Actor) ([]core.Stock, error)
	ReadStock(ctx context.Context, text string) ([]core.StockLine, error)
	SaveStock(ctx context.Context, actor core.Actor, drafts []core.StockDraft) ([]core.Stock, error)
	DeleteStock(ctx context.Context, actor core.Actor, id core.StockID) error
	ConfirmStock(ctx context.Context, actor core.Actor) (int, error)
	Fill(ctx context.Context, actor core.Actor) ([]core.FillableOrder, error)
	StockFor(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (core.StockSum, error)
	SnoozeStock(ctx context.Context, actor core.Actor, alert core.NoticeID, snooze core.Snooze) (core.Stock, error)
	StopStock(ctx context.Context, actor core.Actor, alert core.NoticeID) (core.Stock, error)
	AlertStock(ctx context.Context, actor core.Actor, id core.StockID, on bool) (core.Stock, error)
	Audience(ctx context.Context, actor core.Actor, draft core.OrderDraft) (int, error)
	Wanted(ctx context.Context) (core.Wanted, error)

	SendOffer(ctx context.Context, actor core.Actor, id core.OrderID, draft core.OfferDraft) (core.SendOfferResult, error)
	DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error
	Offers(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, []core.Offer, error)
	AnsweredOffers(ctx context.Context, actor core.Actor, id core.OrderID) (core.AnsweredOffers, error)
	Offer(ctx context.Context, actor core.Actor, id core.OfferID) (core.Order, core.Offer, error)
	SentOffers(ctx context.Context, actor core.Actor, before core.OfferID, limit int) ([]core.SentOffer, error)
	SentOffersIn(ctx context.Context, actor core.Actor, part core.SentPart, before core.OfferID, limit int) ([]core.SentOffer, core.SentCounts, error)
	ReceivedOffers(ctx context.Context, actor core.Actor, after core.ReceivedPlace, limit int) (core.ReceivedPage, error)
	AnswerOffers(ctx context.Context, actor core.Actor, answers []core.OfferAnswer) ([]core.OfferOutcome, error)
	OpenOffers(ctx context.Context, actor core.Actor) ([]core.SentOffer, error)
	OpenOfferOn(ctx context.Context, actor core.Actor, id core.OrderID) (*core.SentOffer, error)

	Accounts(ctx context.Context, ids ...core.UserID) (core.Accounts, error)
	MarkLookAlikes(o core.Order) core.Order
	MarkItem(o core.Order) core.Order
	Receipts(ctx context.Context, actor core.Actor, q core.ReceiptQuery) ([]core.Receipt, error)

	LogSale(ctx context.Context, actor core.Actor, id core.OrderID, draft core.SaleDraft) (core.LogSaleResult, error)
	UndoSale(ctx context.Context, actor core.Actor, id core.SaleID) (core.Order, error)
	UndoClose(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	UndoOffer(ctx context.Context, actor core.Actor, id core.OfferID) error
	Sales(ctx context.Context, actor core.Actor, id core.OrderID, limit int) (core.Order, []core.Sale, int, error)

	AcceptOfferBy(ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time) (core.Acceptance, error)
	Handovers(ctx context.Context, actor core.Actor, q core.HandoverQuery) ([]core.Handover, error)
	SayHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID, word core.Word) ([]core.Handover, error)
	TakeBackWords(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	PostponeHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	AgreeHandover(ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time) (core.Handover, error)
	Slip(ctx context.Context, actor core.Actor, partner core.UserID) (core.Slip, error)
	SlipPartners(ctx context.Context, actor core.Actor) ([]core.SlipPartner, error)
	SetMeetingPlace(ctx context.Context, actor core.Actor, partner core.UserID, place string) error
	SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error)
	Disputes(ctx context.Context, actor core.Actor, before core.SaleID, limit int) ([]core.Dispute, error)
	Dispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Dispute, error)
	LookAtDispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Handover, error)
	RuleDispute(ctx context.Context, actor core.Actor, id core.SaleID, ruling core.DisputeRuling) (core.Handover, error)

	RemoveOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) error
	RemoveOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) error
	ReportOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) (core.ReportID, error)
	ReportOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) (core.ReportID, error)
	Reports(ctx context.Context, actor core.Actor, before core.ReportID, limit int) ([]core.Report, error)
	Report(ctx context.Context, actor core.Actor, id core.ReportID) (core.Report, error)
	DismissReport(ctx context.Context, actor core.Actor, id core.ReportID) error
	DecideReport(ctx context.Context, actor core.Actor, id core.ReportID, decision core.ReportDecision, reason string) error
	EndBoard(ctx context.Context, guildID, channelID string) error
	EndServer(ctx context.Context, guildID string) error
	EndReportChannel(ctx context.Context, channelID string, deleted bool) error
	AuditEntries(ctx context.Context, actor core.Actor, before core.AuditID, limit int) ([]core.AuditEntry, error)
	UndoRemoval(ctx context.Context, actor core.Actor, id core.AuditID) error
	BlockUser(ctx context.Context, actor core.Actor, id core.UserID, reason string) error
	UnblockUser(ctx context.Context, actor core.Actor, id core.UserID) error
	Vouch(ctx context.Context, actor core.Actor, id core.UserID) error
	Rings(ctx context.Context, actor core.Actor) ([]core.Ring, error)
	SetAside(ctx context.Context, actor core.Actor, names []string, reason string) ([]core.User, error)
	CountAgain(ctx context.Context, actor core.Actor, id core.RingID) error
	SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error
	BlockedUsers(ctx context.Context, actor core.Actor, limit int) ([]core.User, error)
	BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error
	UnblockSeller(ctx context.Context, actor core.Actor, seller core.UserID) error
	BlockedSellers(ctx context.Context, actor core.Actor) ([]core.BlockedSeller, error)

	ExportAccount(ctx context.Context, actor core.Actor) (core.AccountExport, error)
	Leave(ctx context.Context, actor core.Actor) (core.User, error)
	CancelLeaving(ctx context.Context, actor core.Actor) error

	WasCommitted(ctx context.Context, actor core.Actor) (bool, error)

	Delivery(ctx context.Context, actor core.Actor, id core.DeliveryID) (core.Delivery, error)
	NoteActed(ctx context.Context, actor core.Actor, messageID string) error
	Watches(ctx context.Context, actor core.Actor) ([]core.Watch, error)
	ItemKinds(ctx context.Context, text string, limit int) ([]string, error)
	AddWatch(ctx context.Context, actor core.Actor, draft core.WatchDraft) (core.Watch, error)
	PauseWatch(ctx context.Context, actor core.Actor, id core.WatchID, paused bool) (core.Watch, error)
	SnoozeWatch(ctx context.Context, actor core.Actor, id core.WatchID, snooze core.Snooze) (core.Watch, error)
	DeleteWatch(ctx context.Context, actor core.Actor, id core.WatchID) error
	TryWatch(ctx context.Context, actor core.Actor, draft core.WatchDraft) (core.TriedWatch, error)
	MutedBuyers(ctx context.Context, actor core.Actor) ([]core.MutedBuyer, error)
	MuteBuyer(ctx context.Context, actor core.Actor, id core.NoticeID) error
	UnmuteBuyer(ctx context.Context, actor core.Actor, buyer core.UserID) error
	NoticeSettings(ctx context.Context, actor core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(ctx context.Context, actor core.Actor, s core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(ctx context.Context, actor core.Actor) error
	Notices(ctx context.Context, actor core.Actor, before core.NoticeID, limit int) (core.NoticePage, error)
	ReadNotices(ctx context.Context, actor core.Actor, upTo core.NoticeID) error
}
