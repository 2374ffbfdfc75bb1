package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestNamesOfTestsGetTheirPackage(t *testing.T) {
	t.Parallel()
	tree := func(sentences string) fstest.MapFS {
		file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
		return fstest.MapFS{
			source:                             file(sentences),
			"core/trade/accept_test.go":        file("func TestAccepting(t *testing.T) {\n}\n\nfunc TestEditing(t *testing.T) {}\n"),
			"bot/edit_test.go":                 file("func TestEditing(t *testing.T) {}\n"),
			"dashboard/src/card.test.tsx":      file("it('shows the price', () => {})"),
			"dashboard/node_modules/x_test.go": file("func TestHidden(t *testing.T) {}\n"),
		}
	}
	page, err := coverage(tree("`TestAccepting`, `bot.TestEditing` †, dashboard: \"shows the price\"\n"))
	want := head + "`core/trade.TestAccepting`, `bot.TestEditing` †, dashboard: \"shows the price\"\n"
	if err != nil || page != want {
		t.Errorf("the page is %q, %v, want %q", page, err, want)
	}
	for _, sentence := range []string{"`TestEditing`", "`web.TestAccepting`", "`TestHidden`", `journey: "shows no price"`} {
		if _, err := coverage(tree(sentence)); err == nil || !strings.Contains(err.Error(), source) {
			t.Errorf("%s: %v", sentence, err)
		}
	}
}
