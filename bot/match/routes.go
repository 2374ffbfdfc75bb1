package match

import (
	"tradepost/bot/kernel"
	"tradepost/core/notify"
)

// Routes returns the package's handlers and drawers.
func (b Match) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"have": {Do: b.have},
			"fill": {Do: b.fill},
		},
		Components: map[string]kernel.Route{
			"have-price":    {Do: b.stockPrice, Redraws: true},
			"wanted":        {Do: b.fill},
			"have-list":     {Do: b.stockButton},
			"have-form":     {Do: b.stockForm, Form: kernel.Always},
			"have-read":     {Do: b.stockRead},
			"have-fix":      {Do: b.stockFixed, Redraws: true},
			"have-save":     {Do: b.stockSaved, Redraws: true},
			"have-confirm":  {Do: b.stockConfirmed, Write: kernel.PerInteraction},
			"have-remove":   {Do: b.stockRemoved, Redraws: true, Write: kernel.PerInteraction},
			"have-alerts":   {Do: b.alertAllStock, Redraws: true},
			kernel.PanelAsk: {Do: b.showAsk},
			"ask-listing":   {Do: b.askForm, Form: kernel.Always},
			"ask-sent":      {Do: b.askSubmitted},
			"ask-yes":       {Do: b.askYes, Redraws: true},
			"ask-no":        {Do: b.askNo, Redraws: true},
			"snooze-stock":  {Do: b.snoozeStockButton, Write: kernel.PerInteraction},
			"stop-stock":    {Do: b.stopStockButton, Write: kernel.PerInteraction},
			"watches":       {Do: b.listWatches},
			"watch-new":     {Do: b.watchForm, Form: kernel.Always},
			"watch-typed":   {Do: b.addWatch},
			"price-alert":   {Do: priceAlerts{b}.form, Form: kernel.Always},
			"price-typed":   {Do: priceAlerts{b}.try},
			"watch-save":    {Do: b.saveWatch, Redraws: true},
			"watch-picked":  {Do: b.watchPicked, Redraws: true},
			"watch-pause":   {Do: b.pauseWatchButton, Redraws: true, Write: kernel.PerInteraction},
			"watch-remove":  {Do: b.removeWatchButton, Redraws: true},
			"plain-picked":  {Do: b.searchPicked, Redraws: true},
			"plain-bell":    {Do: b.giveBell, Redraws: true},
			"plain-remove":  {Do: b.removeSearchButton, Redraws: true},
			"hear-all":      {Do: b.hearAll, Redraws: true, Write: kernel.PerInteraction},
			"snooze":        {Do: b.snoozeButton, Write: kernel.PerInteraction},
			"mute-buyer":    {Do: b.muteBuyerButton},
			"stop-watch":    {Do: b.stopWatchButton, Write: kernel.PerInteraction},
		},
		Suggestions: map[string]kernel.Suggester{
			"have item": b.SuggestItems,
		},
		Messages: map[notify.Kind]kernel.MessageDrawer{notify.NoticeRequestWatched: b.watchedDM},
	}
}
