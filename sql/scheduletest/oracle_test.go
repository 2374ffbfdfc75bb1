package scheduletest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tradepost/core"
)

// answer is what the caller of a write gets.
type answer struct {
	done    bool
	unknown bool // the caller cannot tell whether it has happened
	text    string
}

// noAnswer is what the caller of a process gets that has ended.
var noAnswer = answer{unknown: true, text: "no answer"}

// unseenAnswers are left out of answers: a write of a search's user has read when the search alerted last
// before it waits for an alert.
var unseenAnswers = []string{"AlertedAt"}

// answerOf describes an answer: its JSON, or the kind and code of an error.
func answerOf(value any, err error) answer {
	if err == nil {
		text, err := json.Marshal(value)
		if err != nil {
			return answer{text: "not JSON: " + err.Error()}
		}
		return answer{done: true, text: masked(text)}
	}
	if core.CommitUnknown(err) {
		return answer{unknown: true, text: "unknown"}
	}
	var coreErr *core.Error
	if errors.As(err, &coreErr) {
		return answer{text: fmt.Sprintf("%s %s", coreErr.Kind, coreErr.Code)}
	}
	return answer{text: "failed: " + err.Error()}
}

// result is what came of several writes.
type result struct {
	answers []answer // by writer
	rows    []string
}

func (r result) String() string {
	var texts []string
	for _, a := range r.answers {
		texts = append(texts, a.text)
	}
	return strings.Join(texts, "\n") + "\n" + strings.Join(r.rows, "\n")
}

// serialRun runs some writers of a scenario one after another, on a copy of its own.
type serialRun func(ctx context.Context, order []int) (result, error)

// oracle knows what serial orders of a scenario's writes come to.
type oracle struct {
	run   serialRun
	known map[string]result
	runs  int
}

func (o *oracle) serial(ctx context.Context, order []int) (result, error) {
	key := fmt.Sprint(order)
	if r, ok := o.known[key]; ok {
		return r, nil
	}
	r, err := o.run(ctx, order)
	if err != nil {
		return r, err
	}
	o.runs++
	o.known[key] = r
	return r, nil
}

// outcome is what a schedule came to.
type outcome struct {
	result
	began, over, committed []int // steps, by writer
}

// explain looks for a serial order with the answers and rows of a schedule. It returns an empty text when
// there is one, else the difference from the order in which the writers committed.
func (o *oracle) explain(ctx context.Context, of outcome) (string, error) {
	first := ""
	for order := range orders(of) {
		want, err := o.serial(ctx, order)
		if err != nil {
			return "", err
		}
		difference := differs(of, want, order)
		if difference == "" {
			return "", nil
		}
		if first == "" {
			first = fmt.Sprintf("beside the serial order %v, the nearest to that of the commits:\n%s", order, difference)
		}
	}
	return first, nil
}

// orders yields the serial orders that a schedule may be: who was answered before another began comes before
// it, and who got no answer may be in it or not. The order of the commits is first.
func orders(of outcome) func(yield func([]int) bool) {
	place := func(i int) int {
		if of.committed[i] > 0 {
			return of.committed[i]
		}
		return of.over[i]
	}
	var all []int
	for i := range of.answers {
		all = append(all, i)
	}
	slices.SortStableFunc(all, func(a, b int) int { return place(a) - place(b) })
	return func(yield func([]int) bool) {
		for _, some := range subsets(of, all) {
			if !permute(nil, some, of, yield) {
				return
			}
		}
	}
}

// subsets returns the writers with every choice of those without an answer, all of them first when they were
// committed.
func subsets(of outcome, all []int) [][]int {
	some := [][]int{nil}
	for _, i := range all {
		var next [][]int
		for _, s := range some {
			with := append(slices.Clone(s), i)
			switch {
			case !of.answers[i].unknown:
				next = append(next, with)
			case of.committed[i] > 0:
				next = append(next, with, s)
			default:
				next = append(next, s, with)
			}
		}
		some = next
	}
	return some
}

func permute(before, rest []int, of outcome, yield func([]int) bool) bool {
	if len(rest) == 0 {
		return yield(before)
	}
	for at, i := range rest {
		// j was over before i began
		if slices.ContainsFunc(rest, func(j int) bool { return j != i && of.over[j] < of.began[i] }) {
			continue
		}
		others := slices.Delete(slices.Clone(rest), at, at+1)
		if !permute(append(slices.Clone(before), i), others, of, yield) {
			return false
		}
	}
	return true
}

// differs returns the difference between what came of a schedule and of a serial order; empty for none.
func differs(of outcome, want result, order []int) string {
	var lines []string
	for _, i := range order {
		if got := of.answers[i]; !got.unknown && got.text != want.answers[i].text {
			lines = append(lines, fmt.Sprintf("  writer %d was answered %s\n  but a serial order answers %s", i, got.text,
				want.answers[i].text))
		}
	}
	return strings.Join(append(lines, rowsDiffer(of.rows, want.rows)...), "\n")
}

// rowsDiffer returns the rows of one of two sorted lists.
func rowsDiffer(got, want []string) (lines []string) {
	for len(got) > 0 || len(want) > 0 {
		switch {
		case len(want) == 0 || len(got) > 0 && got[0] < want[0]:
			lines = append(lines, "  row, in no serial order: "+got[0])
			got = got[1:]
		case len(got) == 0 || want[0] < got[0]:
			lines = append(lines, "  no row, as a serial order has it: "+want[0])
			want = want[1:]
		default:
			got, want = got[1:], want[1:]
		}
	}
	return lines
}
