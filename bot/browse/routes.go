package browse

import "tradepost/bot/kernel"

// Routes returns the package's handlers and drawers.
func (b Browse) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"request browse": {Do: b.browse},
			"request mine":   {Do: b.mine},
		},
		Components: map[string]kernel.Route{
			"browse":   {Do: b.browseButton, Redraws: true},
			"category": {Do: b.categoryPicked, Redraws: true},
			"sort":     {Do: b.sortPicked, Redraws: true},
			"mine":     {Do: b.mineButton, Redraws: true},
			"find":     {Do: b.findForm, Form: kernel.Always},
			"found":    {Do: b.found, Redraws: true},

			kernel.PanelWork:     {Do: b.work},
			kernel.PanelRequests: {Do: b.mine},
		},
		Suggestions: map[string]kernel.Suggester{
			"request browse search": b.SuggestItems,
		},
	}
}
