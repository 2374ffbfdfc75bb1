package model

// What the year of `make simulate-year` has left on disk, as docs/retention.md prints it: what is kept as long as the request (the
// request, its sales and offers), and what is kept for half a year (notices, direct messages, messages on boards).
const (
	beginBytes   = 110 << 20 // a market that has just begun, with keys and drafts
	keptBytes    = 2_290.0   // a request
	passingBytes = 2_100.0   // a request
	passingWeeks = 180.0 / 7
	personBytes  = 340.0
)

// Disk is how many bytes PostgreSQL stores at the end of the time that history is kept, with indexes, without its log. Twice as much is
// needed for a backup or a rebuilt index.
func Disk(q Question) float64 {
	posts := float64(q.Traders) * q.Weekly
	return beginBytes + posts*(q.Weeks*keptBytes+min(q.Weeks, passingWeeks)*passingBytes) + float64(q.Traders)*personBytes
}
