package discordtest

import (
	"crypto/rand"
	"strconv"
	"time"
)

// epoch is the first millisecond of 2015, from which snowflakes count.
const epoch = 1420070400000

func formatID(id uint64) string { return strconv.FormatUint(id, 10) }

// before orders snowflakes by age. They are numbers, so "9" comes before "10".
func before(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

func isID(s string) bool {
	id, err := strconv.ParseUint(s, 10, 64)
	return err == nil && formatID(id) == s
}

// secret makes values that cannot be guessed: tokens and codes.
func secret() string { return rand.Text() + rand.Text() }

// stamp is a time as Discord writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
