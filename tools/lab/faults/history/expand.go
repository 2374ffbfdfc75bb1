package history

// expand returns the writes, and those that they contain: the posts and offers of a list, the accept of an
// offer that a standing acceptance took, and the end of the offer whose seller its buyer blocked.
func expand(writes []Write) []Write {
	all := make([]Write, 0, len(writes))
	next, buyers := 0, map[int64]string{}
	for _, w := range writes {
		next = max(next, w.Number)
		if w.Operation == Post {
			buyers[w.Outcome.Answer.Order] = w.Actor
		}
	}
	with := func(w Write, op Operation, change func(*Write)) {
		next++
		w.Number, w.Operation = next, op
		change(&w)
		all = append(all, w)
	}
	for _, w := range writes {
		all = append(all, w)
		if !w.mayHaveHappened() {
			continue
		}
		answer := w.Outcome.Answer
		switch w.Operation {
		case Offer:
			if answer.Accepted > 0 {
				with(w, Accept, func(a *Write) {
					a.Actor, a.Mark, a.Offer, a.Quantity = "", "", answer.Offer, answer.Accepted
					a.Outcome.Answer = Answer{Price: answer.Price}
				})
			}
		case PostList:
			for _, line := range answer.Lines {
				with(w, Post, func(p *Write) {
					p.Mark, p.Quantity, p.Price = line.Item, line.Quantity, line.Price
					p.Outcome.Answer = Answer{Order: line.Order}
				})
			}
		case OfferOnList:
			for _, line := range answer.Lines {
				with(w, Offer, func(o *Write) {
					o.Order, o.Quantity = line.Order, line.Quantity
					o.Outcome.Answer = Answer{Offer: line.Offer, Price: line.Price}
				})
			}
		case BlockSeller:
			with(w, Remove, func(*Write) {})
			for _, offer := range writes {
				if offer.Operation == Offer && offer.Actor == w.Subject && buyers[offer.Order] == w.Actor &&
					offer.acknowledged() &&
					offer.Called < w.Returned && offer.Outcome.Answer.Offer != w.Offer {
					with(w, Remove, func(r *Write) { // where it was open
						r.Offer, r.Order = offer.Outcome.Answer.Offer, offer.Order
						r.Outcome = Outcome{}
					})
				}
			}
		}
	}
	return all
}
