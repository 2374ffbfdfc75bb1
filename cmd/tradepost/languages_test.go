package main_test

import (
	"os"
	"strings"
	"testing"

	"tradepost/core/text"
)

// Documents in a language that Varnish does not know would be kept as English ones.
func TestTheCacheInFrontKnowsEveryLanguage(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../deploy/cache/tradepost.vcl")
	if err != nil {
		t.Fatal(err)
	}
	const places = 4 // the cookie and Accept-Language, each in a condition and in a replacement
	if known := "(" + strings.Join(text.Names(), "|") + ")"; strings.Count(string(file), known) != places {
		t.Errorf("tradepost.vcl does not choose among %s", known)
	}
}
