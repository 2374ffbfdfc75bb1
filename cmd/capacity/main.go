// Command capacity computes the needs of a market: how many machines with how many processors, how much
// memory and disk, and which steps of docs/scaling.md. It computes them from costs that `make bench-model`
// has measured; docs/scaling.md lists the assumptions.
//
//	make capacity TRADERS=10000 READERS=3000
//
// With -guide it writes the tables of docs/scaling.md, with -check it fails when they are stale.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"tradepost/cmd/capacity/model"
)

func main() {
	q := model.Question{}
	flag.IntVar(&q.Traders, "traders", 1_000, "people who trade every week")
	flag.Float64Var(&q.Weekly, "weekly", 1, "requests that each of them posts in a week")
	flag.IntVar(&q.Readers, "readers", 0,
		"people who look at the market in its busiest hour; a fifth of the traders when 0")
	flag.IntVar(&q.Boards, "boards", 0, "boards that are open at once; a sixth of the readers when 0")
	flag.Float64Var(&q.Weeks, "weeks", 104, "weeks that history is kept")
	flag.BoolVar(&q.Survives, "survives", false, "the market goes on when any one of its machines fails")
	flag.IntVar(&q.Machine, "machine", 8, "processors of the largest machine that PostgreSQL is given")
	guide := flag.String("guide", "", "write the tables of this page instead")
	check := flag.Bool("check", false, "with -guide: write nothing, fail when they are stale")
	flag.Parse()
	if err := run(q, *guide, *check); err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(1)
	}
}

func run(q model.Question, guide string, check bool) error {
	costs, err := model.Committed()
	if err != nil {
		return err
	}
	if guide == "" {
		if q.Traders < 1 || q.Weekly < 0 || q.Readers < 0 || q.Boards < 0 || q.Weeks < 0 ||
			q.Machine < model.PageProcessors {
			return fmt.Errorf("numbers are at least 0, -traders at least 1, -machine at least %d",
				model.PageProcessors)
		}
		if q.Readers == 0 {
			q.Readers = q.Traders / 5
		}
		return answer(os.Stdout, costs, costs.Plan(q))
	}
	page, err := os.ReadFile(guide)
	if err != nil {
		return err
	}
	fresh, err := fill(string(page), tables(costs))
	if err != nil {
		return fmt.Errorf("%s: %w", guide, err)
	}
	if fresh == string(page) {
		return nil
	}
	if check {
		return errors.New(guide + " is stale: make generate")
	}
	return os.WriteFile(guide, []byte(fresh), 0o644)
}
