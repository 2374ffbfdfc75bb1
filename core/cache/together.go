package cache

import (
	"context"
	"time"
)

// Loaded is a value that was read, and until when it is valid; the zero time is for ever.
type Loaded[V any] struct {
	Value      V
	ValidUntil time.Time
}

// GetAll returns the values of some entries of one cache, as Get does. The ones that are not fresh, which
// have the places, are read together: read returns one value for each place, in their order. A caller stops
// waiting when its context ends; the read goes on.
func GetAll[V any](
	ctx context.Context, now time.Time, entries []*Entry[V],
	read func(ctx context.Context, places []int) ([]Loaded[V], error),
) ([]V, error) {
	values := make([]V, len(entries))
	stale := func() (places []int) {
		for i, e := range entries {
			var fresh bool
			if values[i], fresh = e.Fresh(now); !fresh {
				places = append(places, i)
			}
		}
		return places
	}
	missing := stale()
	if len(missing) == 0 {
		return values, nil
	}
	entries[missing[0]].cache.catchUp(ctx)
	missing = stale()
	loads := make([]*load[V], len(missing))
	var places []int // of the entries that this call reads
	var started []*load[V]
	for n, i := range missing {
		l, first := entries[i].startOrJoin(now)
		if loads[n] = l; first {
			places, started = append(places, i), append(started, l)
		}
	}
	if len(places) > 0 {
		// All have started before the read begins: what changes from then on makes them stale.
		go readTogether(context.WithoutCancel(ctx), entries, places, started, read)
	}
	for n, i := range missing {
		var err error
		if values[i], err = loads[n].wait(ctx); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func readTogether[V any](
	ctx context.Context, entries []*Entry[V], places []int, loads []*load[V],
	read func(ctx context.Context, places []int) ([]Loaded[V], error),
) {
	var loaded []Loaded[V]
	err := errPanicked
	defer func() {
		_ = recover() // it is the error of each load
		for n, i := range places {
			entries[i].run(ctx, loads[n], func(context.Context) (v V, validUntil time.Time, _ error) {
				if err != nil {
					return v, validUntil, err
				}
				return loaded[n].Value, loaded[n].ValidUntil, nil
			})
		}
	}()
	loaded, err = read(ctx, places)
}
