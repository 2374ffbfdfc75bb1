package people

import "tradepost/bot/kernel"

// Routes returns the package's handlers and drawers.
func (b People) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"trader look":   {Do: b.lookAtTrader},
			"offer unblock": {Do: b.unblockSeller},
			"data download": {Do: b.downloadData},
			"data delete":   {Do: b.askDeleteAccount},
		},
		Components: map[string]kernel.Route{
			"block-seller":       {Do: b.blockSeller, Redraws: true, Write: kernel.PerDrawing},
			"leave":              {Do: b.deleteAccountConfirmed, Redraws: true, Write: kernel.PerDrawing},
			"stay":               {Do: b.stay, Redraws: true, Write: kernel.PerDrawing},
			kernel.CancelLeaving: {Do: b.cancelLeavingButton, Redraws: true, Leaving: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"offer unblock seller": b.suggestBlockedSellers,
		},
	}
}
