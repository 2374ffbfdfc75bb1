package bot

// listsBot posts several requests at once, and takes offers on them.
type listsBot struct{ *Kernel }

func newListsBot(k *Kernel) listsBot { return listsBot{k} }

func (b listsBot) listsRoutes() routes {
	return routes{
		commands: map[string]route{
			"request several": {do: b.severalRequests, form: always},
		},
		components: map[string]route{
			"several":       {do: b.severalAgain, form: always},
			"several-typed": {do: b.severalTyped, redraws: true},
			"several-fix":   {do: b.severalFixed, redraws: true},
			"post-several":  {do: b.postSeveral, redraws: true},
			"list":          {do: b.listButton, redraws: true},
			"list-offer":    {do: b.listOfferForm, form: always},
			"list-offered":  {do: b.listOffered},
		},
	}
}
