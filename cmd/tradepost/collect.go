package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostRoom limits the growth of the heap over its live bytes before the garbage collector runs, in
	// percent of those bytes. Go's own 100 spends a tenth of the processor on a heap of 20 MiB, which is
	// enough for a market of any size.
	mostRoom = 400
	// roomInAll is the limit in bytes: with thousands of open boards 100 MiB and more are alive.
	roomInAll = 80 << 20
	leastRoom = 40
)

// roomFor returns the growth limit, in percent, for a heap with so many live bytes.
func roomFor(alive uint64) int {
	return int(min(max(100*roomInAll/max(alive, 1), leastRoom), mostRoom))
}

// followHeap sets the growth limit of the heap after each run of the garbage collector, from its live bytes.
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
