// Command rules writes what the page needs to know of core's rules, so that each is stated once, in core:
// the limits and lists for the forms, and the cases of suspicious text that the tests of both sides run.
// make generate calls it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

const (
	pageFile  = "dashboard/src/lib/rules.gen.ts"
	casesFile = "core/testdata/suspicion.json"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := run(root); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	found, err := suspicionCases(core.SuspiciousPhrases())
	if err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(root, pageFile),
			"// Written by tools/rules from core: make generate.\nexport const rules = %s as const\n",
			pageRules()),
		write(filepath.Join(root, casesFile), "%s\n", found),
	)
}

func write(path, layout string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return os.WriteFile(path, fmt.Appendf(nil, layout, data), 0o644)
}

// rules is what the page's forms check.
type rules struct {
	Limits            core.Limits       `json:"limits"`
	Importances       []game.Importance `json:"importances"`
	SuspiciousPhrases []string          `json:"suspiciousPhrases"`
	Fields            []field           `json:"fields"`
	UndoMinutes       int               `json:"undoMinutes"`
}

// field is a text of a request.
type field struct {
	trade.Field
	Shared bool `json:"shared"` // by the requests of a list
}

func pageRules() rules {
	fields := make([]field, len(trade.Fields))
	for i, f := range trade.Fields {
		fields[i] = field{f, f.List != nil}
	}
	return rules{Limits: core.AllLimits(), Importances: game.Importances,
		SuspiciousPhrases: core.SuspiciousPhrases(), Fields: fields,
		UndoMinutes: int(core.UndoWindow / time.Minute)}
}

// suspicion is a text, and whether core refuses a request that it describes.
type suspicion struct {
	Text    string `json:"text"`
	Refused bool   `json:"refused"`
}

// suspicionCases returns every phrase in every spelling, with core's own answer.
func suspicionCases(phrases []string) ([]suspicion, error) {
	forms := core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String}
	var cases []suspicion
	for _, phrase := range phrases {
		for _, spell := range spellings {
			text := spell(phrase)
			draft := trade.OrderDraft{ItemName: "Iron Ore", Description: text, Quantity: 1, MaxPrice: 1,
				BuyerContact: "maple"}
			_, err := trade.NewOrder(draft, 1, game.Standard(), forms, time.Time{})
			if err != nil && core.KindOf(err) != core.Invalid {
				return nil, fmt.Errorf("%q: %w", text, err)
			}
			cases = append(cases, suspicion{Text: text, Refused: err != nil})
		}
	}
	return cases, nil
}
