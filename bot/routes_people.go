package bot

// peopleBot has accounts, traders and blocked sellers.
type peopleBot struct{ *Kernel }

func newPeopleBot(k *Kernel) peopleBot { return peopleBot{k} }

func (b peopleBot) peopleRoutes() routes {
	return routes{
		commands: map[string]route{
			"trader look":   {do: b.lookAtTrader},
			"offer unblock": {do: b.unblockSeller},
			"data download": {do: b.downloadData},
			"data delete":   {do: b.askDeleteAccount},
		},
		components: map[string]route{
			"block-seller": {do: b.blockSeller, redraws: true, write: perDrawing},
			"leave":        {do: b.deleteAccountConfirmed, redraws: true, write: perDrawing},
			"stay":         {do: b.stay, redraws: true, write: perDrawing},
			cancelLeaving:  {do: b.cancelLeavingButton, redraws: true, leaving: true},
		},
		suggestions: map[string]suggester{
			"offer unblock seller": b.suggestBlockedSellers,
		},
	}
}
