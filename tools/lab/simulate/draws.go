package main

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// draw returns the random numbers for one purpose, such as the goods of person 7. They do not depend on what
// else is drawn: the same people do the same with a feature and without it.
func draw(seed uint64, purpose string, keys ...int) *rand.Rand {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, purpose) // a hash returns no error
	var key [8]byte
	for _, k := range keys {
		binary.LittleEndian.PutUint64(key[:], uint64(k))
		_, _ = sum.Write(key[:])
	}
	return rand.New(rand.NewPCG(seed, sum.Sum64()))
}

// times draws how often something happens in a day that happens so often on average.
func times(random *rand.Rand, average float64) int {
	n := int(average)
	if random.Float64() < average-float64(n) {
		n++
	}
	return n
}

// byHour is how likely a play session or a request begins in each hour of a person's own day.
var byHour = []int{2, 1, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 4, 4, 5, 6, 8, 10, 12, 12, 11, 8, 5}

// hourOfDay draws a time of a person's own day.
func hourOfDay(random *rand.Rand) time.Duration {
	total := 0
	for _, n := range byHour {
		total += n
	}
	n, hour := random.IntN(total), 0
	for n >= byHour[hour] {
		n -= byHour[hour]
		hour++
	}
	return time.Duration(hour)*time.Hour + time.Duration(random.IntN(3600))*time.Second
}

// answersAt returns when a person who lives in a zone answers a message that comes at a time: after a while,
// or after they wake up.
func answersAt(random *rand.Rand, zone int, at time.Time) time.Time {
	at = at.Add(time.Duration(random.ExpFloat64() * float64(answerLag)))
	own := at.Add(time.Duration(zone) * time.Hour)
	if own.Hour() < wakesAt {
		at = at.Add(time.Duration(wakesAt-own.Hour()) * time.Hour)
	}
	return at
}

// weigh returns for each of n items how often it and those before it are asked for.
func (p popularity) weigh(n int) []float64 {
	weights, sum := make([]float64, n), 0.0
	for i := range weights {
		sum += math.Pow(float64(i+1)+p.head, -p.skew)
		weights[i] = sum
	}
	return weights
}

// pick draws an item by weights, each of which includes those before it.
func pick(random *rand.Rand, weights []float64) int {
	at := random.Float64() * weights[len(weights)-1]
	i, _ := slices.BinarySearch(weights, at)
	return min(i, len(weights)-1)
}
