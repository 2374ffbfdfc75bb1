package model

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTheCommittedCostsHaveEveryKind(t *testing.T) {
	if _, err := Committed(); err != nil {
		t.Fatal(err)
	}
}

func TestCostsThatLackAKindAreRefused(t *testing.T) {
	for _, kind := range Kinds {
		costs, err := Committed()
		if err != nil {
			t.Fatal(err)
		}
		delete(costs.Markets[0].Kinds, kind)
		text, err := json.Marshal(costs)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), string(kind)) {
			t.Errorf("without %q: %v", kind, err)
		}
	}
}

func TestTheSumOfThePartsIsTheMixtureThatWasMeasured(t *testing.T) {
	costs, err := Committed()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range costs.Markets {
		for _, s := range Evening {
			if m.Mix.Done[s.Kind] == 0 {
				t.Errorf("%d requests: the mixture has nothing of %q", m.Requests, s.Kind)
			}
		}
		program, postgres, both := m.Mix.Off(m.ASecond(m.Mix.Load()))
		for of, off := range map[string]float64{"the program": program, "PostgreSQL": postgres, "both": both} {
			if math.Abs(off) > Tolerance {
				t.Errorf("%d requests: the prediction of %s is off by %.0f %%", m.Requests, of, 100*off)
			}
		}
	}
}

// flat are costs of which every kind is as much.
func flat(each float64, open ...int) Costs {
	var c Costs
	for i, n := range open {
		m := Market{Requests: n, Open: n, Kinds: map[Kind]Cost{}, Board: 1000, Memory: 1e6}
		for _, kind := range Kinds {
			m.Kinds[kind] = Cost{Program: each * float64(i+1), Postgres: each * float64(i+1), Bytes: 10}
		}
		c.Markets = append(c.Markets, m)
	}
	return c
}

func TestPartsAddUp(t *testing.T) {
	m := flat(100, 1000).Markets[0]
	m.Idle, m.Refresh, m.Event = Cost{Program: 7}, Cost{Postgres: 50}, Cost{Program: 3}
	l := Load{Done: map[Kind]float64{AnyPage: 10, Post: 2}, Boards: 5}
	sum := Cost{}
	for _, p := range m.Parts(l) {
		sum = sum.plus(p.Cost)
	}
	events := 2 / (1 + 2*0.0005) // a pause of 0.5 ms
	want := Cost{Program: 7 + 12*100 + events*5*3, Postgres: 12*100 + 2*50, Bytes: 120}
	if got := m.ASecond(l); got != sum || math.Abs(got.Program-want.Program) > 1e-9 || got.Postgres != want.Postgres || got.Bytes != want.Bytes {
		t.Errorf("%+v, in parts %+v, want %+v", got, sum, want)
	}
}

func TestEveryProgramRefreshesForItself(t *testing.T) {
	m := flat(0, 1000).Markets[0]
	m.Idle, m.Refresh = Cost{Program: 7}, Cost{Program: 50}
	for _, c := range []struct{ programs, reads, want float64 }{{1, 10, 7 + 2*50}, {3, 10, 21 + 6*50}, {3, 4, 21 + 4*50}} {
		l := Load{Done: map[Kind]float64{FirstPage: c.reads, Post: 2}, Programs: int(c.programs)}
		if got := m.ASecond(l).Program; got != c.want {
			t.Errorf("%v programs, %v reads: %v, want %v", c.programs, c.reads, got, c.want)
		}
	}
}

func TestTheBusiestHourIsReadByItsReadersAndWrittenByItsTraders(t *testing.T) {
	l := Question{Traders: 12_000, Weekly: 1, Readers: 3_600}.Load()
	// 360 posts an hour; one visit a second, each with a board open for ten minutes and something done every ten seconds.
	if got := l.Done[Post]; math.Abs(got-0.1) > 1e-9 {
		t.Errorf("posts: %v", got)
	}
	if got, want := l.Writes(), 0.1*10/3; math.Abs(got-want) > 1e-9 {
		t.Errorf("writes: %v, want %v: as many offers and accepts for each post as in the evening", got, want)
	}
	if l.Boards != 600 {
		t.Errorf("boards: %v", l.Boards)
	}
	if got := l.Reads(); math.Abs(got-(60+6+1)) > 1e-9 {
		t.Errorf("reads: %v, want 60 on the page, 6 commands and a document", got)
	}
	if got := (Question{Readers: 3_600, Boards: 9}).Load().Boards; got != 9 {
		t.Errorf("boards that were given: %v", got)
	}
}

func TestManyChangesShareAnEventWhereManyBoardsAreOpen(t *testing.T) {
	for _, c := range []struct{ changes, boards, want float64 }{{1, 0, 1}, {10, 1_000, 5}, {1_000, 5_000, 3.984}} {
		l := Load{Done: map[Kind]float64{Post: c.changes}, Boards: c.boards}
		if got := l.Events(); math.Abs(got-c.want) > 0.001 {
			t.Errorf("%v changes, %v boards: %v events a second, want %v", c.changes, c.boards, got, c.want)
		}
	}
}

func TestCostsBetweenTwoMarketsAreInProportion(t *testing.T) {
	c := flat(100, 1_000, 3_000)
	for _, want := range []struct {
		open, program float64
		beyond        bool
	}{{10, 100, false}, {1_000, 100, false}, {2_000, 150, false}, {3_000, 200, false}, {3_001, 200, true}} {
		m, beyond := c.For(want.open)
		if got := m.Kinds[Search].Program; got != want.program || beyond != want.beyond {
			t.Errorf("%v open: %v, beyond %v; want %v, %v", want.open, got, beyond, want.program, want.beyond)
		}
	}
}

func TestAMarketTakesTheStepsThatItNeeds(t *testing.T) {
	costs := flat(400, 1_000_000)
	for _, c := range []struct {
		name  string
		q     Question
		steps []Step
		pages int
	}{
		{"few people", Question{Traders: 300, Weekly: 1, Readers: 60, Weeks: 52}, []Step{OneMachine}, 1},
		{"few people who need it always", Question{Traders: 300, Weekly: 1, Readers: 60, Weeks: 52, Survives: true}, []Step{Programs, Standby}, 2},
		{"more boards than a process was measured with", Question{Traders: 300, Weekly: 1, Readers: 60, Boards: 12_000, Weeks: 52}, []Step{Programs}, 3},
		// 200,000 readers do 3,333 things a second, and cost a program and PostgreSQL 0.0004 s each.
		{"more than one program", Question{Traders: 300, Weekly: 1, Readers: 200_000, Weeks: 52}, []Step{Programs, Pooler}, 7},
		{"more than one PostgreSQL reads", Question{Traders: 300, Weekly: 1, Readers: 1_000_000, Weeks: 52}, []Step{Programs, Cache, Pooler, Replicas}, 34},
		{"more than one PostgreSQL stores", Question{Traders: 10_000_000, Weekly: 1, Readers: 60, Weeks: 104}, []Step{Programs, Distributed}, 1},
	} {
		p := costs.Plan(c.q)
		if !slices.Equal(p.Steps, c.steps) || p.Pages != c.pages {
			t.Errorf("%s: %v with %d pages, want %v with %d; busy %+v", c.name, p.Steps, p.Pages, c.steps, c.pages, p.Busy)
		}
	}
}

// The year of `make simulate-year` is printed in docs/retention.md.
func TestDiskMatchesTheSimulatedYear(t *testing.T) {
	page, err := os.ReadFile("../../../docs/retention.md")
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string) []string {
		found := regexp.MustCompile(`(?m)^\| ` + name + ` \|(.*)\|$`).FindSubmatch(page)
		if found == nil {
			t.Fatalf("docs/retention.md has no row %s", name)
		}
		return strings.Split(strings.ReplaceAll(string(found[1]), ",", ""), "|")
	}
	days, sizes := row("day"), row("MiB")
	if len(days) < 12 || len(days) != len(sizes) {
		t.Fatalf("%d days, %d sizes", len(days), len(sizes))
	}
	for i := range days {
		day, err1 := strconv.ParseFloat(strings.TrimSpace(days[i]), 64)
		mib, err2 := strconv.ParseFloat(strings.TrimSpace(sizes[i]), 64)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		got := Disk(Question{Traders: 20_000, Weekly: 2000 * 7 / 20_000.0, Weeks: day / 7}) / (1 << 20)
		if math.Abs(got/mib-1) > 0.1 {
			t.Errorf("day %.0f: %.0f MiB, played %.0f", day, got, mib)
		}
	}
}

func TestTheEveningIsAHundredThings(t *testing.T) {
	sum := 0
	for _, s := range Evening {
		sum += s.Share
	}
	if sum != 100 {
		t.Errorf("%d", sum)
	}
	m := flat(1, 10).Markets[0]
	if got := slices.Sorted(maps.Keys(m.Kinds)); len(got) != len(Kinds) {
		t.Errorf("a kind is listed twice: %v", Kinds)
	}
}
