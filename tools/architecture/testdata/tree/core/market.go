package core

// Store keeps orders.
type Store interface {
	reads
	Order() Order
	SaveOrder(Order, string, string, string, string, string, string, string, string, string, string, string, string) error
}

type reads interface{ Orders() []Order }

// Market is the service.
type Market struct{ store Store }

func (m *Market) Order() Order { return m.store.Order() }

func (m *Market) Best() Offer { return m.Order().Best() }
