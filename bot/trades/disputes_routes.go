package trades

import "tradepost/bot/kernel"

// Routes returns the handlers of moderators' actions on disputes.
func (b Disputes) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"moderate disputes": {Do: b.disputes, Moderates: true},
		},
		Components: map[string]kernel.Route{
			"disputes":       {Do: b.disputesButton, Redraws: true, Moderates: true},
			"dispute-picked": {Do: b.disputePicked, Redraws: true, Moderates: true},
			"look-at":        {Do: b.lookAtDispute, Redraws: true, Moderates: true},
			"rule":           {Do: b.rulingPicked, Form: kernel.Always, Moderates: true},
			"ruled":          {Do: b.rulingSubmitted, Redraws: true, Moderates: true},
		},
	}
}
