package core_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/text"
)

var update = flag.Bool("update", false, "write docs/limits.md")

const limitsPage = "../docs/limits.md"

func TestThePageOfLimitsHasEveryLimitAsItIsDeclared(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| limit | each | how much | setting | counted | beyond it | Retry-After |\n|---|---|---|---|---|---|---|\n")
	names := map[string]bool{}
	for _, l := range core.Declared() {
		if names[l.Name] {
			t.Errorf("two limits are called %q: replicas could not tell their counts apart", l.Name)
		}
		names[l.Name] = true
		if l.Text.IsZero() == (l.Beyond == "") || l.Limit <= 0 || !slices.Contains(core.AllCounted, l.Counted) || l.Of == "" {
			t.Errorf("%s is declared as %+v: either a text or what happens beyond it, and how much of whom", l.Name, l)
		}
		setting := "-"
		if l.Setting != "" {
			setting = "`" + l.Setting + "`"
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s |\n", l.Name, l.Of, howMuch(l), setting, l.Counted, beyond(l), retryAfter(l))
	}
	page, err := os.ReadFile(limitsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), "| limit |")
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + table.String() + "\n" + after
	if !found || string(page) != want {
		if *update {
			if err := os.WriteFile(limitsPage, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("docs/limits.md is stale: go test ./core -run %s -update writes\n%s", t.Name(), table.String())
	}
}

func inWords(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{core.Day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := d / u.unit; n == 1 {
			return article(u.name) + " " + u.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, u.name)
		}
	}
	return d.String()
}

func howMuch(l core.Limit) string {
	if l.Per == 0 {
		return fmt.Sprint(l.Limit)
	}
	return fmt.Sprintf("%d in %s", l.Limit, inWords(l.Per))
}

var place = regexp.MustCompile(`\{\w+\}`)

func beyond(l core.Limit) string {
	if l.Text.IsZero() {
		return l.Beyond
	}
	return fmt.Sprintf("%s: %s", cmp.Or(l.Kind, core.TooMany), place.ReplaceAllString(text.Languages[0].Errors[l.Text.Code].Variants()[0], "…"))
}

func retryAfter(l core.Limit) string {
	switch wait := l.Over(0).RetryAfter; {
	case l.Text.IsZero() || wait == 0:
		return "-"
	case l.Counted == core.InRows && l.Per > 0:
		return "until one more is within it"
	default:
		return inWords(wait)
	}
}

func TestTheErrorOfALimitSaysWhenToAskAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	quota := core.Quota{Limit: 2, Per: time.Hour}
	if err := core.LimitOffers.Check(quota, []time.Time{now}, now); err != nil {
		t.Errorf("one of two: %v", err)
	}
	for what, tt := range map[string]struct {
		err   error
		says  string
		code  string
		kind  core.ErrorKind
		after time.Duration
	}{
		"used up":            {core.LimitOffers.Check(quota, []time.Time{now, now.Add(-50 * time.Minute)}, now), "You can send offers again in 10 minutes.", core.CodeQuota, core.TooMany, 10 * time.Minute},
		"open at once":       {core.LimitOpenRequests.Over(0, "count", 1234), "You have 1,234 open requests. Close one to post another.", core.CodeQuota, core.TooMany, time.Hour},
		"within a window":    {core.LimitVisitorReports.Over(0), "Too many reports from here. Sign in with Discord, or wait a few minutes.", core.CodeSignIn, core.TooMany, 10 * time.Minute},
		"time does not help": {core.LimitWatches.Over(0, "count", 25), "There is room for 25 saved searches with a bell. Remove one to add another.", "", core.Conflict, 0},
		"signing in helps":   {core.LimitVisitors.Over(0), "Many visitors are sending offers right now. Sign in with Discord to send yours.", core.CodeSignIn, core.Unauthenticated, 0},
	} {
		var err *core.Error
		if !errors.As(tt.err, &err) || err.Message != tt.says || err.Code != tt.code || err.Kind != tt.kind || err.RetryAfter != tt.after {
			t.Errorf("%s: %+v", what, err)
		}
	}
}

func article(noun string) string {
	if noun == "hour" {
		return "an"
	}
	return "a"
}
