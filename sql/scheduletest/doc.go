// Package scheduletest runs writes against each other, one round trip at a time: of several writers a seed
// chooses which one goes on, and where a fault comes. Whatever it chooses, the answers and the rows must be
// those of some serial order of the writes. See docs/faults.md.
package scheduletest
