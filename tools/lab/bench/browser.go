package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// browserTests is where the scripts lie that drive a browser, and the packages that they need.
const browserTests = "dashboard/e2e"

// measureBrowser measures the page in a browser: as a slow phone loads it, and how soon it answers a hand
// with a thousand cards on it. The scripts are those that contributors run by themselves.
func (b *bench) measureBrowser(ctx context.Context) error {
	const loading, answering = "page: as a phone loads it", "page: interaction to next paint"
	if !b.wanted(loading) && !b.wanted(answering) || b.size != b.sizes[len(b.sizes)-1] {
		return nil
	}
	if _, err := os.Stat(filepath.Join(browserTests, "node_modules")); err != nil {
		progress("the browser tests' packages are not installed: the page in a browser is left out")
		return nil
	}
	if b.wanted(loading) {
		said, err := b.script(ctx, "lighthouse.mjs")
		if err != nil {
			return err
		}
		if err := b.addMarks(loading, said); err != nil {
			return err
		}
	}
	if b.wanted(answering) {
		said, err := b.script(ctx, "smooth.mjs")
		if err != nil {
			return err
		}
		found := nextPaint.FindStringSubmatch(said)
		if found == nil {
			return fmt.Errorf("smooth.mjs says nothing of the next paint: %s", said)
		}
		r := row{size: b.size, name: answering + ", " + found[1], figure: found[2] + " ms", queries: -1}
		r.value, _ = strconv.ParseFloat(found[2], 64)
		r.most, _ = strconv.ParseFloat(found[3], 64)
		b.add(r)
	}
	return nil
}

var (
	lighthousePlace  = regexp.MustCompile(`^/\S*( as \w+)?$`)
	lighthouseMark   = regexp.MustCompile(`^(\S+)\s+([0-9.]+)\s+\(at least ([0-9.]+)\)`)
	lighthouseFigure = regexp.MustCompile(`^  ([A-Z]\w*(?: \w+)*) {2,}(\S.*)$`)
	nextPaint        = regexp.MustCompile(`(?m)^(.*): next paint within ([0-9]+) ms \(at most ([0-9]+)\)`)
)

// addMarks adds what Lighthouse gives marks for at each place, and the measurements behind them.
func (b *bench) addMarks(name, said string) error {
	place, found := "", false
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\n")
		r := row{size: b.size, queries: -1}
		if at := lighthousePlace.FindString(line); at != "" {
			place = at
			continue
		} else if mark := lighthouseMark.FindStringSubmatch(line); mark != nil {
			found = true
			r.name, r.figure = mark[1], mark[2]
			r.value, _ = strconv.ParseFloat(mark[2], 64)
			r.least, _ = strconv.ParseFloat(mark[3], 64)
		} else if figure := lighthouseFigure.FindStringSubmatch(line); figure != nil {
			r.name, r.figure = strings.ToLower(figure[1]), figure[2]
		} else {
			continue
		}
		r.name = name + ", " + place + ", " + r.name
		b.add(r)
	}
	if !found {
		return fmt.Errorf("lighthouse.mjs gives no marks: %s", said)
	}
	return nil
}

// script runs one of the browser's scripts on the program. That it misses its mark is for the table to say.
func (b *bench) script(ctx context.Context, name string) (string, error) {
	cmd := exec.CommandContext(ctx, "node", name)
	cmd.Dir = browserTests
	// This market has no stand-in Discord to sign in at.
	cmd.Env = append(os.Environ(), "BASE_URL=http://"+b.program.address, "PLACES=/")
	out, err := cmd.CombinedOutput()
	if _, missed := errors.AsType[*exec.ExitError](err); err != nil && !missed {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(out), nil
}
