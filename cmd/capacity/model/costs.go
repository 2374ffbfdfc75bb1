package model

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Costs has the results of the bench.
type Costs struct {
	Measured string   `json:"measured"` // the day
	Machine  string   `json:"machine"`
	Beside   string   `json:"beside"` // what else the machine did
	Markets  []Market `json:"markets"`
}

// Market has the costs on a market of one size.
type Market struct {
	Requests int           `json:"requests"`
	Open     int           `json:"open"` // of these
	Kinds    map[Kind]Cost `json:"kinds"`
	// after a post: what every reader sees is read and written again, once
	Refresh Cost    `json:"refresh"`
	Event   Cost    `json:"event"`        // one event to one open board
	Idle    Cost    `json:"idle"`         // a second of page, bot and PostgreSQL without users
	Memory  float64 `json:"memory_bytes"` // of the program without boards
	Board   float64 `json:"board_bytes"`  // of memory, for each open board
	// on disk, for each request, with its offers, sales, notices and indexes
	Stored float64 `json:"stored_bytes"`
	Mix    Mix     `json:"mix"`
}

// Cost is the cost of one action.
type Cost struct {
	Program  float64 `json:"program_us"`      // microseconds of processor time
	Postgres float64 `json:"postgres_us"`     // of all of PostgreSQL's processes
	Bytes    float64 `json:"bytes,omitempty"` // of body, as it travels
}

// Both is the processor time of program and PostgreSQL.
func (c Cost) Both() float64 { return c.Program + c.Postgres }

func (c Cost) times(n float64) Cost { return Cost{c.Program * n, c.Postgres * n, c.Bytes * n} }

func (c Cost) plus(d Cost) Cost {
	return Cost{c.Program + d.Program, c.Postgres + d.Postgres, c.Bytes + d.Bytes}
}

// Mix is a mixture of everything that was played and measured.
type Mix struct {
	Seconds  float64      `json:"seconds"`
	Boards   int          `json:"boards"`
	Done     map[Kind]int `json:"done"`
	Measured Cost         `json:"measured_a_second"`
	Memory   float64      `json:"memory_bytes"`
}

// Load returns the rates of the mixture.
func (m Mix) Load() Load {
	l := Load{Done: map[Kind]float64{}, Boards: float64(m.Boards)}
	for kind, n := range m.Done {
		l.Done[kind] = float64(n) / m.Seconds
	}
	return l
}

// Off returns the relative error of a prediction against the measurement: of the processor time of the
// program, of PostgreSQL and of both.
func (m Mix) Off(predicted Cost) (program, postgres, both float64) {
	off := func(predicted, measured float64) float64 { return predicted/measured - 1 }
	return off(predicted.Program, m.Measured.Program), off(predicted.Postgres, m.Measured.Postgres),
		off(predicted.Both(), m.Measured.Both())
}

// Tolerance limits the relative error of a prediction for a mixture.
const Tolerance = 0.25

//go:embed costs.json
var committed []byte

// Committed returns the costs of the repository.
func Committed() (Costs, error) { return Parse(committed) }

// Parse reads a file of costs, and reports what it lacks.
func Parse(file []byte) (c Costs, err error) {
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, fmt.Errorf("read the costs: %w", err)
	}
	return c, c.check()
}

func (c Costs) check() error {
	if len(c.Markets) == 0 {
		return fmt.Errorf("the costs have no market")
	}
	if !slices.IsSortedFunc(c.Markets, func(a, b Market) int { return a.Open - b.Open }) {
		return fmt.Errorf("the costs do not have the smallest market first")
	}
	for _, m := range c.Markets {
		for _, kind := range Kinds {
			if cost, known := m.Kinds[kind]; !known || cost.Both() <= 0 {
				return fmt.Errorf("the costs of a market of %d requests say nothing of %q: make bench-model",
					m.Requests, kind)
			}
		}
		for kind := range m.Kinds {
			if !slices.Contains(Kinds, kind) {
				return fmt.Errorf("the costs have %q, which is no kind", kind)
			}
		}
	}
	return nil
}

// For returns the costs for a market with so many open requests. It interpolates between two measured
// markets, and uses the smallest or largest one outside of their range. beyond is true above the largest.
func (c Costs) For(open float64) (m Market, beyond bool) {
	last := c.Markets[len(c.Markets)-1]
	if open >= float64(last.Open) {
		return last, open > float64(last.Open)
	}
	for i, larger := range c.Markets {
		if open > float64(larger.Open) {
			continue
		}
		if i == 0 {
			return larger, false
		}
		smaller := c.Markets[i-1]
		return between(smaller, larger, (open-float64(smaller.Open))/float64(larger.Open-smaller.Open)), false
	}
	return last, false
}

func between(a, b Market, share float64) Market {
	number := func(a, b float64) float64 { return a + (b-a)*share }
	cost := func(a, b Cost) Cost { return a.times(1 - share).plus(b.times(share)) }
	m := Market{
		Requests: int(number(float64(a.Requests), float64(b.Requests))),
		Open:     int(number(float64(a.Open), float64(b.Open))),
		Kinds:    map[Kind]Cost{}, Refresh: cost(a.Refresh, b.Refresh), Event: cost(a.Event, b.Event),
		Idle:   cost(a.Idle, b.Idle),
		Memory: number(a.Memory, b.Memory), Board: number(a.Board, b.Board),
		Stored: number(a.Stored, b.Stored),
	}
	for _, kind := range Kinds {
		m.Kinds[kind] = cost(a.Kinds[kind], b.Kinds[kind])
	}
	return m
}
