package cache

import (
	"slices"
	"sync"
)

// maxTraded limits the trades that are remembered. A value with an older mark has missed some: any trade may
// have changed.
const maxTraded = 4096

// traded records the names of items with recently changed trades. A mark counts them from the start of the
// process.
type traded struct {
	mu    sync.Mutex
	names []string
	first uint64 // the mark of the first of the names
}

func (t *traded) add(names []string, any bool) {
	if len(names) == 0 && !any {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = append(t.names, names...)
	drop := max(0, len(t.names)-maxTraded)
	if any {
		drop = len(t.names)
		t.first++ // no earlier mark is known any more
	}
	t.names, t.first = slices.Clone(t.names[drop:]), t.first+uint64(drop)
}

// end is the mark after the last name.
func (t *traded) end() uint64 { return t.first + uint64(len(t.names)) }

func (t *traded) mark() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.end()
}

// since returns the present mark, and whether a trade of one of the names may have changed since an earlier
// one.
func (t *traded) since(mark uint64, concerns func(name string) bool) (now uint64, changed bool) {
	t.mu.Lock()
	names, first, now := t.names, t.first, t.end() // add changes no name that is there
	t.mu.Unlock()
	return now, mark < first || mark > now || slices.ContainsFunc(names[mark-first:], concerns)
}
