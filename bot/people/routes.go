package people

import (
	"tradepost/bot/commands"
	"tradepost/bot/kernel"
)

// Routes returns the package's handlers and drawers.
func (b People) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			commands.RecordOf: {Do: b.recordOfPerson},
			"offer unblock":   {Do: b.unblockSeller},
		},
		Components: map[string]kernel.Route{
			"block-seller":       {Do: b.blockSeller, Redraws: true, Write: kernel.PerDrawing},
			"leave":              {Do: b.deleteAccountConfirmed, Redraws: true, Write: kernel.PerDrawing},
			"stay":               {Do: b.stay, Redraws: true, Write: kernel.PerDrawing},
			"record":             {Do: b.ownRecord},
			"data":               {Do: b.downloadData},
			"delete-account":     {Do: b.askDeleteAccount},
			"blocked-sellers":    {Do: b.blockedSellers},
			"unblock-picked":     {Do: b.unblockPicked, Redraws: true, Write: kernel.PerInteraction},
			kernel.CancelLeaving: {Do: b.cancelLeavingButton, Redraws: true, Leaving: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"offer unblock seller": b.suggestBlockedSellers,
		},
	}
}
