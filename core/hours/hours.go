// Package hours has the hours of the week in which people play, and the rule by which a time to meet is
// proposed. Nobody is shown the hours of others: all that is read from two weeks is one time.
package hours

import (
	"math/bits"
	"time"

	"tradepost/core"
)

// InWeek is how many hours a week has.
const InWeek = 7 * 24

// Week is a set of hours of the week in UTC, a bit for each: hour 0 begins on Monday at midnight.
type Week [InWeek / 8]byte

// Of returns the week with some hours. It fails with Invalid for one that no week has.
func Of(list []int) (w Week, err error) {
	for _, h := range list {
		if h < 0 || h >= InWeek {
			return Week{}, core.NewFieldError("hours", core.NewText("play_hour_range", "most", InWeek-1))
		}
		w[h/8] |= 1 << (h % 8)
	}
	return w, nil
}

// At returns the hour of the week of a time.
func At(t time.Time) int {
	t = t.UTC()
	return (int(t.Weekday())+6)%7*24 + t.Hour()
}

// Has reports whether an hour is in the week.
func (w Week) Has(hour int) bool { return w[hour/8]&(1<<(hour%8)) != 0 }

// Empty reports whether the week has no hour.
func (w Week) Empty() bool { return w == Week{} }

// List returns the hours, the earliest first.
func (w Week) List() []int {
	list := []int{}
	for h := range InWeek {
		if w.Has(h) {
			list = append(list, h)
		}
	}
	return list
}

// With returns the hours of either week.
func (w Week) With(other Week) Week {
	for i := range w {
		w[i] |= other[i]
	}
	return w
}

// Shared returns the hours of both weeks.
func (w Week) Shared(other Week) Week {
	for i := range w {
		w[i] &= other[i]
	}
	return w
}

// Without returns the hours that are not in another week.
func (w Week) Without(other Week) Week {
	for i := range w {
		w[i] &^= other[i]
	}
	return w
}

// Count returns how many hours the week has.
func (w Week) Count() (n int) {
	for _, b := range w {
		n += bits.OnesCount8(b)
	}
	return n
}

// SharesMost returns the place of the week that shares the most hours with one's own; -1 where none shares
// any, and where several share as many.
func SharesMost(own Week, others []Week) int {
	best, most := -1, 0
	for i, w := range others {
		switch n := own.Shared(w).Count(); {
		case n > most:
			best, most = i, n
		case n == most:
			best = -1
		}
	}
	return best
}

// LearnedFrom is how many meetings around one hour of the day make it an hour of play.
const LearnedFrom = 2

// Learned returns the hours in which a user met others often enough: those hours of the day in which they
// met, on whichever day, that have LearnedFrom meetings together with the hours before and after. Each counts
// on every day: few people have two meetings in one hour of the week. counts has a number for each hour of
// the week, or is empty.
func Learned(counts []int16) (w Week) {
	var day [24]int
	for h, n := range counts {
		day[h%24] += int(n)
	}
	for h, n := range day {
		if n == 0 || day[(h+23)%24]+n+day[(h+1)%24] < LearnedFrom {
			continue
		}
		for at := h; at < InWeek; at += 24 {
			w[at/8] |= 1 << (at % 8)
		}
	}
	return w
}
