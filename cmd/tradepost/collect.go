package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostRoom is how far the heap may grow over what is alive before the garbage collector runs, in
	// percent of that. Go's own 100 spends a tenth of the processor on a heap of 20 MiB, which is all
	// that this program needs for a market of any size.
	mostRoom = 400
	// roomInAll is how far in bytes: with thousands of open boards 100 MiB and more are alive.
	roomInAll = 80 << 20
	leastRoom = 40
)

// roomFor is how far a heap may grow of which so much is alive.
func roomFor(alive uint64) int {
	return int(min(max(100*roomInAll/max(alive, 1), leastRoom), mostRoom))
}

// followHeap sets how far the heap may grow after each run of the garbage collector, by what is alive then.
func followHeap() {
	debug.SetGCPercent(mostRoom)
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	room := mostRoom
	afterCollection(func() {
		metrics.Read(alive)
		if now := roomFor(alive[0].Value.Uint64() + alive[1].Value.Uint64()); now != room {
			room = now
			debug.SetGCPercent(room)
		}
	})
}

// afterCollection runs do after every run of the garbage collector: each finds something that nothing uses.
func afterCollection(do func()) {
	unused := &struct{ _ [16]byte }{}
	runtime.SetFinalizer(unused, func(any) {
		do()
		afterCollection(do)
	})
}
