package model

// The bytes that the year of `make simulate-year` has left on disk, as docs/retention.md prints them: data
// that is kept as long as the request (the request, its sales and offers), and data that is kept for half a
// year (notices, direct messages, messages on boards).
const (
	beginBytes   = 110 << 20 // a market that has just begun, with keys and drafts
	keptBytes    = 2_290.0   // a request
	passingBytes = 2_100.0   // a request
	passingWeeks = 180.0 / 7
	personBytes  = 340.0
)

// Disk returns the bytes that PostgreSQL stores at the end of the time that history is kept, with indexes,
// without its log. A backup or a rebuilt index needs twice as much.
func Disk(q Question) float64 {
	posts := float64(q.Traders) * q.Weekly
	return beginBytes + posts*(q.Weeks*keptBytes+min(q.Weeks, passingWeeks)*passingBytes) +
		float64(q.Traders)*personBytes
}
