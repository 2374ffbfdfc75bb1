package bot

// disputesBot has moderators decide on trades whose sides contradict each other.
type disputesBot struct{ *Kernel }

func newDisputesBot(k *Kernel) disputesBot { return disputesBot{k} }

func (b disputesBot) disputesRoutes() routes {
	return routes{
		commands: map[string]route{
			"moderate disputes": {do: b.disputes, moderates: true},
		},
		components: map[string]route{
			"disputes":       {do: b.disputesButton, redraws: true, moderates: true},
			"dispute-picked": {do: b.disputePicked, redraws: true, moderates: true},
			"look-at":        {do: b.lookAtDispute, redraws: true, moderates: true},
			"rule":           {do: b.rulingPicked, form: always, moderates: true},
			"ruled":          {do: b.rulingSubmitted, redraws: true, moderates: true},
		},
	}
}
