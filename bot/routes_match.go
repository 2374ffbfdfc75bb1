package bot

import (
	"tradepost/core"
)

// matchBot finds requests that fit a user: by their stock and their watches.
type matchBot struct{ *Kernel }

func newMatchBot(k *Kernel) matchBot { return matchBot{k} }

func (b matchBot) matchRoutes() routes {
	return routes{
		commands: map[string]route{
			"have":         {do: b.have},
			"fill":         {do: b.fill},
			"watch add":    {do: b.addWatch},
			"watch list":   {do: b.listWatches},
			"watch pause":  {do: b.pauseWatch},
			"watch remove": {do: b.removeWatch},
		},
		components: map[string]route{
			"have-price":   {do: b.stockPrice, redraws: true},
			"wanted":       {do: b.fill},
			"have-list":    {do: b.stockButton},
			"have-form":    {do: b.stockForm, form: always},
			"have-read":    {do: b.stockRead},
			"have-fix":     {do: b.stockFixed, redraws: true},
			"have-save":    {do: b.stockSaved, redraws: true},
			"have-confirm": {do: b.stockConfirmed, write: perInteraction},
			"have-remove":  {do: b.stockRemoved, redraws: true, write: perInteraction},
			"have-alerts":  {do: b.alertAllStock, redraws: true},
			"snooze-stock": {do: b.snoozeStockButton, write: perInteraction},
			"stop-stock":   {do: b.stopStockButton, write: perInteraction},
			"watches":      {do: b.listWatches},
			"watch-save":   {do: b.saveWatch, redraws: true},
			"watch-picked": {do: b.watchPicked, redraws: true},
			"watch-pause":  {do: b.pauseWatchButton, redraws: true, write: perInteraction},
			"watch-remove": {do: b.removeWatchButton, redraws: true},
			"hear-all":     {do: b.hearAll, redraws: true, write: perInteraction},
			"snooze":       {do: b.snoozeButton, write: perInteraction},
			"mute-buyer":   {do: b.muteBuyerButton},
			"stop-watch":   {do: b.stopWatchButton, write: perInteraction},
		},
		suggestions: map[string]suggester{
			"have item":          b.suggestItems,
			"watch add item":     b.suggestItems,
			"watch add kind":     b.suggestKinds,
			"watch pause watch":  b.suggestWatches,
			"watch remove watch": b.suggestWatches,
		},
		messages: map[core.NoticeKind]messageDrawer{core.NoticeRequestWatched: b.watchedDM},
	}
}
