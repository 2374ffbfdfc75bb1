package settings

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

func TestTheNearestNameIsMeant(t *testing.T) {
	t.Parallel()
	var names []string
	parser, err := kong.New(&struct {
		Serve Market `cmd:""`
	}{}, LimitDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for name := range ByVariable(parser.Model) {
		names = append(names, name)
	}
	slices.Sort(names)
	for word, want := range map[string]string{
		"SITE_NAM": "SITE_NAME", "STIE_NAME": "SITE_NAME", "MODERATOR": "MODERATORS", "DISCORD_BOT_TOKEN": "DISCORD_TOKEN", "TOKEN": "DISCORD_TOKEN",
		"CLIENT_SECRET": "DISCORD_CLIENT_SECRET", "PUBLIC_ADDRESS": "", "FOO": "", "HARBOUR_CRANE": "", "KEEP_NOTICE": "KEEP_NOTICES",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("%s: %q is meant, want %q", word, got, want)
		}
	}
}
