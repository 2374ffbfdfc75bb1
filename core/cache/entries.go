package cache

import "sync"

// Entries holds the entries of a kind by their keys. When there are too many, any of them goes. The zero
// value holds 1,000. It is safe for concurrent use.
type Entries[K comparable, V any] struct {
	Most int

	mu  sync.Mutex
	all map[K]*Entry[V]
}

// Of returns the entry of a key, which add returns when there is none.
func (e *Entries[K, V]) Of(key K, add func() *Entry[V]) *Entry[V] {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry, known := e.all[key]; known {
		return entry
	}
	if e.all == nil {
		e.all = map[K]*Entry[V]{}
	}
	for other := range e.all {
		if len(e.all) < e.most() {
			break
		}
		delete(e.all, other)
	}
	e.all[key] = add()
	return e.all[key]
}

// Known returns the entry of a key, if there is one.
func (e *Entries[K, V]) Known(key K) (entry *Entry[V], known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry, known = e.all[key]
	return entry, known
}

// Drop forgets the entry of a key.
func (e *Entries[K, V]) Drop(key K) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.all, key)
}

func (e *Entries[K, V]) most() int {
	if e.Most == 0 {
		return 1000
	}
	return e.Most
}

// Clear drops every entry.
func (e *Entries[K, V]) Clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.all)
}
