package discordtest_test

import (
	"os/exec"
	"testing"
)

// The page's markdown is JavaScript, so Node runs its cases.
func TestThePagesMarkdown(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node, which everything else of the page does not")
	}
	if out, err := exec.CommandContext(t.Context(), node, "testdata/markdown.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
