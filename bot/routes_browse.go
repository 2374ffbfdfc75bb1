package bot

// browseBot lists requests: open ones, and one's own.
type browseBot struct{ *Kernel }

func newBrowseBot(k *Kernel) browseBot { return browseBot{k} }

func (b browseBot) browseRoutes() routes {
	return routes{
		commands: map[string]route{
			"request browse": {do: b.browse},
			"request mine":   {do: b.mine},
		},
		components: map[string]route{
			"browse":   {do: b.browseButton, redraws: true},
			"category": {do: b.categoryPicked, redraws: true},
			"sort":     {do: b.sortPicked, redraws: true},
			"mine":     {do: b.mineButton, redraws: true},
		},
		suggestions: map[string]suggester{
			"request browse search": b.suggestItems,
		},
	}
}
