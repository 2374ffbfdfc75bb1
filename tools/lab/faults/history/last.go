package history

import (
	"math"
	"slices"
)

// last returns the writes about one thing of which each may have been the last. There are several where
// they overlap, or where a client never learned the outcome of one.
func last(writes []Write) []Write {
	var some []Write
	for _, w := range writes {
		if !w.mayHaveHappened() {
			continue
		}
		ended := w.Returned
		if !w.acknowledged() {
			ended = math.MaxInt64 // it may still happen
		}
		if !slices.ContainsFunc(writes, func(after Write) bool {
			return after.acknowledged() && after.Number != w.Number && after.Called > ended
		}) {
			some = append(some, w)
		}
	}
	return some
}

// surelyLast returns the last write about one thing, and false where it is not sure which that was, or that
// there was one.
func surelyLast(writes []Write) (Write, bool) {
	some := last(writes)
	if len(some) != 1 || !some[0].acknowledged() {
		return Write{}, false
	}
	return some[0], true
}

// surelyHappened reports whether one of the writes did.
func surelyHappened(writes []Write) bool { return slices.ContainsFunc(writes, Write.acknowledged) }
