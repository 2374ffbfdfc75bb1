package pgconnect

import "time"

// MeasureWith measures a clock by the times that it is given.
func (c *Clock) MeasureWith(databaseTime func() (time.Time, error)) error {
	return c.measure(databaseTime)
}
