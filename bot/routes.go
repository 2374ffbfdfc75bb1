package bot

import "tradepost/core"

func always(Input) bool { return true }

// table says who answers what. It reads like the command tree.
func (b *Bot) table() routes {
	return routes{
		commands: map[string]route{
			"request post":   {do: b.postRequest},
			"request browse": {do: b.browse},
			"request show":   {do: b.showRequest, public: sharing},
			"request mine":   {do: b.mine},
			"request edit":   {do: b.editRequest},
			"request close":  {do: b.closeRequest},
			"request renew":  {do: b.renewRequest},
			"request delete": {do: b.deleteRequest},

			"request several": {do: b.severalRequests, form: always},
			"item look":       {do: b.lookAtItem},

			"offer standing":     {do: b.setStanding},
			"offer least-record": {do: b.setLeastRecord},
			"trader look":        {do: b.lookAtTrader},

			"offer send":     {do: b.sendOffer},
			"offer list":     {do: b.listOffers},
			"offer accept":   {do: b.acceptNamed},
			"offer delete":   {do: b.declineNamed},
			"offer mine":     {do: b.myOffers},
			"offer withdraw": {do: b.withdrawOffer},

			"offer unblock": {do: b.unblockSeller},

			"report":           {do: b.reportRequest},
			"moderate reports": {do: b.reports, moderates: true},
			"moderate remove":  {do: b.removeNamed, moderates: true},
			"moderate block":   {do: b.blockNamed, moderates: true},
			"moderate vouch":   {do: b.vouchNamed, moderates: true},
			"moderate unblock": {do: b.unblockNamed, moderates: true},
			"moderate blocked": {do: b.blockedUsers, moderates: true},
			"moderate log":     {do: b.audit, moderates: true},
			"moderate here":    {do: b.moderateHere, moderates: true},

			"moderate signed-in-only": {do: b.signedInOnly, moderates: true},

			"moderate names": {do: b.newNames, moderates: true},
			"moderate merge": {do: b.mergeNamed, moderates: true},

			"sales log":     {do: b.logSale},
			"sales history": {do: b.salesHistory},

			"board here":   {do: b.boardHere},
			"board list":   {do: b.boardList},
			"board remove": {do: b.boardRemove},

			"notify settings": {do: b.notifySettings},
			"notify quiet":    {do: b.quiet},
			"notify test":     {do: b.sendTest},
			"notify inbox":    {do: b.inbox},

			offerOnThis: {do: b.offerOnMessage, form: always},
			reportThis:  {do: b.reportOnMessage, form: always},

			"have": {do: b.have},
			"fill": {do: b.fill},

			"data download": {do: b.downloadData},
			"data delete":   {do: b.askDeleteAccount},
		},
		components: map[string]route{
			"go-on": {do: b.continueDraft, redraws: true},
			"back":  {do: b.back, redraws: true},

			"post":      {do: b.post, redraws: true},
			"compose":   {do: b.compose, form: always},
			"composed":  {do: b.composed, redraws: true},
			"use-item":  {do: b.useItem, redraws: true},
			"use-maker": {do: b.useMaker, redraws: true},

			"request-item": {do: b.requestItem, form: always},

			"drop": {do: b.drop, redraws: true},

			"several":       {do: b.severalAgain, form: always},
			"several-typed": {do: b.severalTyped, redraws: true},
			"post-several":  {do: b.postSeveral, redraws: true},
			"list":          {do: b.listButton, redraws: true},

			"browse":   {do: b.browseButton, redraws: true},
			"category": {do: b.categoryPicked, redraws: true},
			"sort":     {do: b.sortPicked, redraws: true},
			"mine":     {do: b.mineButton, redraws: true},
			"open":     {do: b.openPicked},
			"show":     {do: b.showButton, redraws: true},

			"menu":   {do: b.ownerPressed, redraws: true, form: opensForm},
			"edit":   {do: b.editForm, form: always},
			"edited": {do: b.editSubmitted, redraws: true, write: perContent},
			"close":  {do: b.closeConfirmed, redraws: true},
			"delete": {do: b.deleteConfirmed, redraws: true},
			"renew":  {do: b.renewButton, redraws: true},

			"make-offer":      {do: b.offerForm, form: always},
			"offered":         {do: b.offerSubmitted},
			"replace":         {do: b.replaceOffer, redraws: true},
			"keep-offer":      {do: b.keepOffer, redraws: true},
			"withdraw":        {do: b.withdrawButton, redraws: true},
			"withdraw-picked": {do: b.withdrawPicked, redraws: true},
			"my-offers":       {do: b.myOffersButton, redraws: true},
			"receipt-picked":  {do: b.receiptPicked},
			"receipts":        {do: b.receiptsButton},

			"offers":        {do: b.offersButton, redraws: true},
			"offer-picked":  {do: b.offerPicked, redraws: true},
			"offers-picked": {do: b.offersPicked, redraws: true},
			"answer":        {do: b.answerChosen, redraws: true},
			"accept":        {do: b.acceptButton, redraws: true},
			"part":          {do: b.acceptForm, form: always},
			"parted":        {do: b.acceptSubmitted, redraws: true},
			"decline":       {do: b.declineButton, redraws: true},
			"undo-sale":     {do: b.undoSaleButton, redraws: true},
			"undo-offer":    {do: b.undoOfferButton, redraws: true},
			"undo-close":    {do: b.undoCloseButton, redraws: true},

			"block-seller": {do: b.blockSeller, redraws: true},

			"report":        {do: b.reportForm, form: always},
			"reported":      {do: b.reportSubmitted},
			"reports":       {do: b.reportsButton, redraws: true, moderates: true},
			"report-picked": {do: b.reportPicked, redraws: true, moderates: true},
			"dismiss":       {do: b.dismissButton, redraws: true, moderates: true},
			"decide":        {do: b.decideButton, redraws: true, form: decidesWithReason, moderates: true},
			"decided":       {do: b.decideSubmitted, redraws: true, moderates: true},
			"report-open":   {do: b.openReported, moderates: true},
			"stop-reports":  {do: b.stopReports, redraws: true, moderates: true},
			"remove-order":  {do: b.removeOrderForm, form: always, moderates: true},
			"removed-order": {do: b.removeOrderSubmitted, redraws: true, moderates: true},
			"remove-offer":  {do: b.removeOfferForm, form: always, moderates: true},
			"removed-offer": {do: b.removeOfferSubmitted, redraws: true, moderates: true},
			"block":         {do: b.blockForm, form: always, moderates: true},
			"blocked":       {do: b.blockSubmitted, redraws: true, moderates: true},
			"vouch":         {do: b.vouchButton, redraws: true, moderates: true},
			"audit":         {do: b.auditButton, redraws: true, moderates: true},
			"undo":          {do: b.undoButton, redraws: true, moderates: true},
			"names":         {do: b.newNamesButton, redraws: true, moderates: true},
			"confirm-name":  {do: b.confirmName, redraws: true, moderates: true},
			"merge-name":    {do: b.mergeName, redraws: true, moderates: true},
			"ignore-name":   {do: b.ignoreName, redraws: true, moderates: true},

			"sell": {do: b.sellForm, form: always},
			"sold": {do: b.sellSubmitted, redraws: true},

			"have-list":    {do: b.stockButton},
			"have-form":    {do: b.stockForm, form: always},
			"have-read":    {do: b.stockRead},
			"have-save":    {do: b.stockSaved, redraws: true},
			"have-confirm": {do: b.stockConfirmed, write: perInteraction},
			"have-remove":  {do: b.stockRemoved, redraws: true, write: perInteraction},

			"inbox":    {do: b.inbox, redraws: true},
			"settings": {do: b.settingsButton},
			"kinds":    {do: b.kindsPicked, redraws: true, write: perInteraction},
			"quiet":    {do: b.quietForm, form: always},
			"quieted":  {do: b.quiet, redraws: true, write: perInteraction},
			"test":     {do: b.sendTest, write: perInteraction},

			"leave": {do: b.deleteAccountConfirmed, redraws: true},
			"stay":  {do: b.stay, redraws: true},

			cancelLeaving: {do: b.cancelLeavingButton, redraws: true, leaving: true},
		},
		suggestions: map[string]suggester{
			"request post item":          b.suggestItems,
			"request edit item":          b.suggestItems,
			"item look item":             b.suggestKnownItems,
			"have item":                  b.suggestItems,
			"request browse search":      b.suggestItems,
			"request show request":       b.suggestAnyOrders,
			"request edit request":       b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request close request":      b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request renew request":      b.suggestOwn(core.ExpiredOrders, core.OpenOrders),
			"request delete request":     b.suggestOwn(core.OpenOrders, core.ExpiredOrders, core.FulfilledOrders, core.ArchivedOrders),
			"offer send request":         b.suggestOpenOrders,
			"offer standing request":     b.suggestOwn(core.OpenOrders),
			"offer least-record request": b.suggestOwn(core.OpenOrders),
			"offer list request":         b.suggestOwn(core.OpenOrders),
			"offer accept offer":         b.suggestReceived,
			"offer delete offer":         b.suggestReceived,
			"offer withdraw offer":       b.suggestSent,
			"sales log request":          b.suggestOwn(core.OpenOrders),
			"sales history request":      b.suggestOwn(core.OpenOrders, core.FulfilledOrders, core.ExpiredOrders, core.ArchivedOrders),
			"offer unblock seller":       b.suggestBlockedSellers,
			"report request":             b.suggestAnyOrders,
			"moderate remove request":    b.suggestAnyOrders,
			"moderate block request":     b.suggestAnyOrders,
			"moderate vouch request":     b.suggestAnyOrders,
			"moderate unblock user":      b.suggestBlocked,
			"moderate merge name":        b.suggestNewNames,
			"moderate merge into":        b.suggestKnownItems,
			"notify quiet zone":          suggestZones,
			"board here category-2":      b.suggestCategories,
			"board here category-3":      b.suggestCategories,
		},
	}
}
