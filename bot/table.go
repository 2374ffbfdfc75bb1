package bot

import "tradepost/core"

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

			"offer send":     {do: b.sendOffer},
			"offer list":     {do: b.listOffers},
			"offer accept":   {do: b.acceptNamed},
			"offer delete":   {do: b.declineNamed},
			"offer mine":     {do: b.myOffers},
			"offer withdraw": {do: b.withdrawOffer},

			"offer unblock": {do: b.unblockSeller},

			"report":           {do: b.reportRequest},
			"moderate reports": {do: b.reports},
			"moderate remove":  {do: b.removeNamed},
			"moderate block":   {do: b.blockNamed},
			"moderate unblock": {do: b.unblockNamed},
			"moderate blocked": {do: b.blockedUsers},
			"moderate log":     {do: b.audit},

			"sales log":     {do: b.logSale},
			"sales history": {do: b.salesHistory},

			"board here":   {do: b.boardHere},
			"board remove": {do: b.boardRemove},

			"notify settings": {do: b.notifySettings},
			"notify quiet":    {do: b.quiet},
			"notify test":     {do: b.sendTest},

			"data download": {do: b.downloadData},
			"data delete":   {do: b.askLeave},
		},
		presses: map[string]route{
			"go-on": {do: b.goOn, redraws: true},
			"back":  {do: b.back, redraws: true},

			"post":     {do: b.post, redraws: true},
			"compose":  {do: b.compose, form: true},
			"composed": {do: b.composed, redraws: true},
			"drop":     {do: b.drop, redraws: true},

			"browse":   {do: b.browsePressed, redraws: true},
			"category": {do: b.categoryPicked, redraws: true},
			"sort":     {do: b.sortPicked, redraws: true},
			"mine":     {do: b.minePressed, redraws: true},
			"open":     {do: b.openPicked},
			"show":     {do: b.showPressed, redraws: true},

			"menu":   {do: b.menuPicked, redraws: true, form: true},
			"edit":   {do: b.editForm, form: true},
			"edited": {do: b.editSubmitted, redraws: true},
			"close":  {do: b.closeConfirmed, redraws: true},
			"delete": {do: b.deleteConfirmed, redraws: true},
			"renew":  {do: b.renewPressed, redraws: true},

			"make-offer":      {do: b.offerForm, form: true},
			"offered":         {do: b.offerSubmitted},
			"withdraw":        {do: b.withdrawPressed, redraws: true},
			"withdraw-picked": {do: b.withdrawPicked, redraws: true},
			"my-offers":       {do: b.myOffersPressed, redraws: true},

			"offers":       {do: b.offersPressed, redraws: true},
			"offer-picked": {do: b.offerPicked, redraws: true},
			"accept":       {do: b.acceptPressed, redraws: true},
			"part":         {do: b.acceptForm, form: true},
			"parted":       {do: b.acceptSubmitted, redraws: true},
			"decline":      {do: b.declinePressed, redraws: true},

			"block-seller": {do: b.blockSeller, redraws: true},

			"report":        {do: b.reportForm, form: true},
			"reported":      {do: b.reportSubmitted},
			"reports":       {do: b.reportsPressed, redraws: true},
			"report-picked": {do: b.reportPicked, redraws: true},
			"dismiss":       {do: b.dismissPressed, redraws: true},
			"remove-order":  {do: b.removeOrderForm, form: true},
			"removed-order": {do: b.removeOrderSubmitted, redraws: true},
			"remove-offer":  {do: b.removeOfferForm, form: true},
			"removed-offer": {do: b.removeOfferSubmitted, redraws: true},
			"block":         {do: b.blockForm, form: true},
			"blocked":       {do: b.blockSubmitted, redraws: true},
			"audit":         {do: b.auditPressed, redraws: true},

			"sell": {do: b.sellForm, form: true},
			"sold": {do: b.sellSubmitted, redraws: true},

			"settings": {do: b.settingsPressed},
			"kinds":    {do: b.kindsPicked, redraws: true},
			"quiet":    {do: b.quietForm, form: true},
			"quieted":  {do: b.quiet, redraws: true},
			"test":     {do: b.sendTest},

			"leave": {do: b.leaveConfirmed, redraws: true},
			"stay":  {do: b.stay, redraws: true},
		},
		suggestions: map[string]suggester{
			"request post item":       b.suggestItems,
			"request edit item":       b.suggestItems,
			"request browse search":   b.suggestItems,
			"request show request":    b.suggestAnyOrders,
			"request edit request":    b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request close request":   b.suggestOwn(core.OpenOrders, core.ExpiredOrders),
			"request renew request":   b.suggestOwn(core.ExpiredOrders, core.OpenOrders),
			"request delete request":  b.suggestOwn(core.OpenOrders, core.ExpiredOrders, core.FulfilledOrders),
			"offer send request":      b.suggestOpenOrders,
			"offer list request":      b.suggestOwn(core.OpenOrders),
			"offer accept offer":      b.suggestReceived,
			"offer delete offer":      b.suggestReceived,
			"offer withdraw offer":    b.suggestSent,
			"sales log request":       b.suggestOwn(core.OpenOrders),
			"sales history request":   b.suggestOwn(core.OpenOrders, core.FulfilledOrders, core.ExpiredOrders),
			"offer unblock seller":    b.suggestBlockedSellers,
			"report request":          b.suggestAnyOrders,
			"moderate remove request": b.suggestAnyOrders,
			"moderate block request":  b.suggestAnyOrders,
			"moderate unblock user":   b.suggestBlocked,
			"notify quiet zone":       suggestZones,
		},
	}
}
