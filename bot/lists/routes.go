package lists

import "tradepost/bot/kernel"

// Routes returns the package's handlers and drawers.
func (b Lists) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"request several": {Do: b.severalRequests, Form: kernel.Always},
		},
		Components: map[string]kernel.Route{
			"several":       {Do: b.severalAgain, Form: kernel.Always},
			"several-typed": {Do: b.severalTyped, Redraws: true},
			"several-fix":   {Do: b.severalFixed, Redraws: true},
			"post-several":  {Do: b.postSeveral, Redraws: true},
			"list":          {Do: b.listButton, Redraws: true},
			"list-offer":    {Do: b.listOfferForm, Form: kernel.Always},
			"list-offered":  {Do: b.listOffered},
		},
	}
}
