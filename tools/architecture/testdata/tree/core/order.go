// Package core has orders, whose offers are what the buyer answers.
package core

// Order is what a buyer asks for.
type Order struct{ Offers []Offer }

// Best is that of the cheapest seller.
func (o Order) Best() Offer { return o.Offers[0] }
