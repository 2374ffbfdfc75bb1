package kernel

import (
	"context"
	"time"

	"tradepost/core"
)

// Market has the methods of the core that the web calls.
type Market interface {
	WasCommitted(context.Context, core.Actor) (bool, error)
	Recognize(core.User) core.User
	BrowseOrders(context.Context, core.OrderQuery) (core.OrderPage, error)
	CountOrders(context.Context, core.OrderFilter) (core.CategoryCounts, error)
	ItemNames(ctx context.Context, actor core.Actor, text string, limit int) ([]string, error)
	Catalogue(context.Context, core.CatalogueQuery) (core.CataloguePage, error)
	Item(context.Context, core.ItemID) (core.Item, error)
	AcceptOfferBy(ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time) (core.Acceptance, error)
	Handovers(ctx context.Context, actor core.Actor, q core.HandoverQuery) ([]core.Handover, error)
	SayHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID, word core.Word) ([]core.Handover, error)
	TakeBackWords(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	PostponeHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	AgreeHandover(ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time) (core.Handover, error)
	Slip(ctx context.Context, actor core.Actor, partner core.UserID) (core.Slip, error)
	SetMeetingPlace(ctx context.Context, actor core.Actor, partner core.UserID, place string) error
	SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error)
	Disputes(ctx context.Context, actor core.Actor, before core.SaleID, limit int) ([]core.Dispute, error)
	LookAtDispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Handover, error)
	RuleDispute(ctx context.Context, actor core.Actor, id core.SaleID, ruling core.DisputeRuling) (core.Handover, error)
	CompleteItems(ctx context.Context, text string) ([]core.Item, error)
	NameItem(ctx context.Context, text string) (named, near *core.Item, err error)
	ProvisionalItems(ctx context.Context, actor core.Actor, after core.ItemID, limit int) ([]core.ProvisionalItem, error)
	DecideItem(ctx context.Context, actor core.Actor, id core.ItemID, decision core.ItemDecision, into core.ItemID) (core.Item, error)
	OpenOrders(context.Context, []core.OrderID) ([]core.Order, error)
	OwnOrders(context.Context, core.Actor, core.OrderQuery) (core.OrderPage, error)
	Order(context.Context, core.Actor, core.OrderID) (core.ListedOrder, error)
	PostOrder(context.Context, core.Actor, core.OrderDraft) (core.Order, error)
	PostOrderAsking(ctx context.Context, actor core.Actor, draft core.OrderDraft, ask core.StockID) (core.Order, error)
	PostList(context.Context, core.Actor, core.ListDraft) (core.PostedList, error)
	PreviewList(context.Context, core.Actor, core.ListDraft) (core.PostedList, error)
	ListFixes(ctx context.Context, actor core.Actor, text string) ([]core.ListFix, error)
	PostedList(context.Context, core.Actor, core.ListID) (core.PostedList, error)
	PostedLists(context.Context, core.Actor) ([]core.ListSummary, error)
	Records(context.Context, ...core.UserID) (core.Records, error)
	TraderPage(context.Context, core.UserID) (core.TraderPage, error)
	Terms(context.Context, core.Actor, core.OrderID) (core.Terms, error)
	SetStanding(context.Context, core.Actor, core.OrderID, core.StandingDraft) (core.StandingAcceptance, error)
	EndStanding(context.Context, core.Actor, core.OrderID) error
	SetLeastRecord(context.Context, core.Actor, core.OrderID, core.LeastRecord) error
	OfferOnList(context.Context, core.Actor, core.ListID, core.ListOffer) ([]core.SendOfferResult, error)
	EditOrder(context.Context, core.Actor, core.OrderID, core.OrderEdit) (core.Order, error)
	CloseOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	RenewOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	DeleteOrder(context.Context, core.Actor, core.OrderID) error

	Offers(context.Context, core.Actor, core.OrderID) (core.Order, []core.Offer, error)
	SendOffer(context.Context, core.Actor, core.OrderID, core.OfferDraft) (core.SendOfferResult, error)
	AcceptOffer(context.Context, core.Actor, core.OfferID, int) (core.Acceptance, error)
	DeleteOffer(context.Context, core.Actor, core.OfferID) error
	SentOffers(context.Context, core.Actor, core.OfferID, int) ([]core.SentOffer, error)
	AnsweredOffers(context.Context, core.Actor, core.OrderID) (core.AnsweredOffers, error)
	SentOffersIn(context.Context, core.Actor, core.SentPart, core.OfferID, int) ([]core.SentOffer, core.SentCounts, error)
	ReceivedOffers(context.Context, core.Actor, core.ReceivedPlace, int) (core.ReceivedPage, error)
	AnswerOffers(context.Context, core.Actor, []core.OfferAnswer) ([]core.OfferOutcome, error)
	OpenOffers(context.Context, core.Actor) ([]core.SentOffer, error)
	OpenOfferOn(context.Context, core.Actor, core.OrderID) (*core.SentOffer, error)
	FollowOffer(context.Context, core.OfferToken) (core.OfferLink, error)
	WithdrawLinked(context.Context, core.Actor, core.OfferToken) error

	Skills(context.Context, core.Actor) ([]core.Skill, error)
	SetSkills(context.Context, core.Actor, []core.Skill) error
	Searches(context.Context, core.Actor) ([]core.SavedSearch, error)
	AddSearch(context.Context, core.Actor, core.SearchDraft) (core.SavedSearch, error)
	EditSearch(context.Context, core.Actor, core.SearchID, core.SearchDraft) (core.SavedSearch, error)
	DeleteSearch(context.Context, core.Actor, core.SearchID) error
	Watches(context.Context, core.Actor) ([]core.Watch, error)
	AddWatch(context.Context, core.Actor, core.WatchDraft) (core.Watch, error)
	EditWatch(context.Context, core.Actor, core.WatchID, core.WatchDraft) (core.Watch, error)
	PauseWatch(ctx context.Context, actor core.Actor, id core.WatchID, paused bool) (core.Watch, error)
	SnoozeWatch(context.Context, core.Actor, core.WatchID, core.Snooze) (core.Watch, error)
	DeleteWatch(context.Context, core.Actor, core.WatchID) error
	TryWatch(context.Context, core.Actor, core.WatchDraft) (core.TriedWatch, error)
	Audience(context.Context, core.Actor, core.OrderDraft) (int, error)
	MutedBuyers(context.Context, core.Actor) ([]core.MutedBuyer, error)
	MuteBuyer(context.Context, core.Actor, core.NoticeID) error
	UnmuteBuyer(context.Context, core.Actor, core.UserID) error

	Stock(context.Context, core.Actor) ([]core.Stock, error)
	ReadStock(ctx context.Context, text string) ([]core.StockLine, error)
	SaveStock(context.Context, core.Actor, []core.StockDraft) ([]core.Stock, error)
	DeleteStock(context.Context, core.Actor, core.StockID) error
	ConfirmStock(context.Context, core.Actor) (int, error)
	Wanted(context.Context) (core.Wanted, error)
	Fill(context.Context, core.Actor) ([]core.FillableOrder, error)
	SnoozeStock(context.Context, core.Actor, core.NoticeID, core.Snooze) (core.Stock, error)
	StopStock(context.Context, core.Actor, core.NoticeID) (core.Stock, error)
	AlertStock(context.Context, core.Actor, core.StockID, bool) (core.Stock, error)
	BrowseFillable(context.Context, core.Actor, core.OrderQuery) (core.OrderPage, error)
	StockOf(context.Context, core.Actor, core.ItemID) (core.ItemStock, error)
	StockFor(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (core.StockSum, error)

	Receipts(context.Context, core.Actor, core.ReceiptQuery) ([]core.Receipt, error)
	Sales(context.Context, core.Actor, core.OrderID, int) (core.Order, []core.Sale, int, error)
	LogSale(context.Context, core.Actor, core.OrderID, core.SaleDraft) (core.LogSaleResult, error)
	UndoSale(context.Context, core.Actor, core.SaleID) (core.Order, error)
	UndoClose(context.Context, core.Actor, core.OrderID) (core.Order, error)
	UndoOffer(context.Context, core.Actor, core.OfferID) error

	RemoveOrder(context.Context, core.Actor, core.OrderID, string) error
	RemoveOffer(context.Context, core.Actor, core.OfferID, string) error
	ReportOrder(context.Context, core.Actor, core.OrderID, string) (core.ReportID, error)
	ReportOffer(context.Context, core.Actor, core.OfferID, string) (core.ReportID, error)
	Reports(context.Context, core.Actor, core.ReportID, int) ([]core.Report, error)
	DismissReport(context.Context, core.Actor, core.ReportID) error
	AuditEntries(context.Context, core.Actor, core.AuditID, int) ([]core.AuditEntry, error)
	UndoRemoval(context.Context, core.Actor, core.AuditID) error
	BlockUser(context.Context, core.Actor, core.UserID, string) error
	UnblockUser(context.Context, core.Actor, core.UserID) error
	Vouch(context.Context, core.Actor, core.UserID) error
	ItemPrices(context.Context, core.ItemID, bool) (core.ItemPrices, error)
	ItemOdds(context.Context, core.ItemID) (core.ItemOdds, error)
	Rings(context.Context, core.Actor) ([]core.Ring, error)
	SetAside(context.Context, core.Actor, []string, string) ([]core.User, error)
	CountAgain(context.Context, core.Actor, core.RingID) error
	MarketRules(context.Context) (core.MarketRules, error)
	SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error
	BlockedUsers(context.Context, core.Actor, int) ([]core.User, error)
	BlockSeller(context.Context, core.Actor, core.OfferID) error
	UnblockSeller(context.Context, core.Actor, core.UserID) error
	BlockedSellers(context.Context, core.Actor) ([]core.BlockedSeller, error)

	SignIn(context.Context, core.Profile) (core.User, error)
	User(context.Context, core.UserID) (core.User, error)
	Counts(context.Context, core.Actor) (core.Counts, error)
	ExportAccount(context.Context, core.Actor) (core.AccountExport, error)
	Leave(context.Context, core.Actor) (core.User, error)
	CancelLeaving(context.Context, core.Actor) error
	Sessions(context.Context, core.Actor) ([]core.Session, error)
	EndSession(context.Context, core.Actor, core.SessionID) error
	EndSessions(context.Context, core.Actor) error

	Notices(context.Context, core.Actor, core.NoticeID, int) (core.NoticePage, error)
	ReadNotices(context.Context, core.Actor, core.NoticeID) error
	NoticeSettings(context.Context, core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(context.Context, core.Actor, core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(context.Context, core.Actor) error
}
