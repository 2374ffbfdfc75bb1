package discordtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func register(s *discordgo.Session, d *discordtest.Discord, guild string, body any) ([]*discordgo.ApplicationCommand, error) {
	url := discordgo.EndpointApplicationGlobalCommands(d.ClientID())
	if guild != "" {
		url = discordgo.EndpointApplicationGuildCommands(d.ClientID(), guild)
	}
	if _, err := s.RequestWithBucketID("PUT", url, body, url); err != nil {
		return nil, err
	}
	return s.ApplicationCommands(d.ClientID(), guild)
}

func TestRegisteringAgainKeepsIds(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	first, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands())
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands())
	if err != nil || again[0].ID != first[0].ID || again[0].Version != first[0].Version {
		t.Errorf("the same commands again: %+v, %v", again, err)
	}
	changed := commands()[:1]
	changed[0].Description = "Ask for anything"
	last, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", changed)
	if err != nil || len(last) != 1 || last[0].ID != first[0].ID || last[0].Version == first[0].Version {
		t.Errorf("changed: %+v, %v", last, err)
	}
	if listed, err := s.ApplicationCommands(d.ClientID(), ""); err != nil || len(listed) != 1 || listed[0].Options[0].Options[1].MaxValue != 1_000_000 {
		t.Errorf("listed: %+v, %v", listed, err)
	}
	if len(d.Commands()) != 1 {
		t.Errorf("stored: %+v", d.Commands())
	}
}

func TestOnlyTwoHundredNewCommandsADay(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	batch := func(n int) []any {
		return list(100, func(i int) any { return obj{"name": fmt.Sprintf("c%d-%d", n, i), "description": "x"} })
	}
	for n := range 2 {
		if _, err := register(s, d, "", batch(n)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := register(s, d, "", batch(1)); err != nil {
		t.Errorf("the same names again: %v", err)
	}
	if _, err := register(s, d, "", batch(2)); code(err) != 30034 {
		t.Errorf("more new names: %v", err)
	}
	d.Advance(25 * time.Hour)
	if _, err := register(s, d, "", batch(2)); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

func TestLimitsOfCommands(t *testing.T) {
	t.Parallel()
	option := func(more obj) obj {
		o := obj{"type": 3, "name": "item", "description": "x"}
		for key, value := range more {
			o[key] = value
		}
		return o
	}
	with := func(options ...any) obj { return obj{"name": "a", "description": "x", "options": options} }
	choice := func(i int) any { return obj{"name": fmt.Sprint("n", i), "value": fmt.Sprint(i)} }
	const server = "1284551102903992320"
	for name, tt := range map[string]struct {
		body  obj
		guild string
		want  string
	}{
		"a small one":                    {body: obj{"name": "a", "description": "x"}},
		"capitals":                       {body: obj{"name": "Post", "description": "x"}, want: "0.name"},
		"a space":                        {body: obj{"name": "post it", "description": "x"}, want: "0.name"},
		"a name of 33":                   {body: obj{"name": strings.Repeat("a", 33), "description": "x"}, want: "0.name"},
		"letters of another script":      {body: obj{"name": "заказ", "description": "x"}},
		"no description":                 {body: obj{"name": "a"}, want: "0.description"},
		"a description of 101":           {body: obj{"name": "a", "description": long(101)}, want: "0.description"},
		"an unknown locale":              {body: obj{"name": "a", "description": "x", "description_localizations": obj{"tlh": "y"}}, want: "0.description_localizations.tlh"},
		"capitals in a translation":      {body: obj{"name": "a", "description": "x", "name_localizations": obj{"de": "Anfrage"}}, want: "0.name_localizations.de"},
		"25 options":                     {body: with(list(25, func(i int) any { return option(obj{"name": fmt.Sprint("o", i)}) })...)},
		"26 options":                     {body: with(list(26, func(i int) any { return option(obj{"name": fmt.Sprint("o", i)}) })...), want: "0.options"},
		"25 choices":                     {body: with(option(obj{"choices": list(25, choice)}))},
		"26 choices":                     {body: with(option(obj{"choices": list(26, choice)})), want: "0.options.0.choices"},
		"a choice of 101":                {body: with(option(obj{"choices": []any{obj{"name": "n", "value": long(101)}}})), want: "0.options.0.choices.0.value"},
		"two choices of one name":        {body: with(option(obj{"choices": []any{choice(1), choice(1)}})), want: "0.options.0.choices.1.name"},
		"completing with choices":        {body: with(option(obj{"autocomplete": true, "choices": []any{choice(1)}})), want: "0.options.0.autocomplete"},
		"two options of one name":        {body: with(option(nil), option(nil)), want: "0.options.1.name"},
		"required after optional":        {body: with(option(nil), option(obj{"name": "b", "required": true})), want: "0.options.1"},
		"a subcommand beside an option":  {body: with(obj{"type": 1, "name": "s", "description": "x"}, option(nil)), want: "0.options"},
		"contexts in a server":           {body: obj{"name": "a", "description": "x", "contexts": []int{0}}, guild: server, want: "0.contexts"},
		"other DMs without the user":     {body: obj{"name": "a", "description": "x", "contexts": []int{2}}, want: "0.contexts"},
		"other DMs with the user":        {body: obj{"name": "a", "description": "x", "contexts": []int{2}, "integration_types": []int{0, 1}}},
		"permissions as a text":          {body: obj{"name": "a", "description": "x", "default_member_permissions": "32"}},
		"permissions that are no number": {body: obj{"name": "a", "description": "x", "default_member_permissions": "manage"}, want: "0.default_member_permissions"},
		"8000 characters":                {body: with(list(25, func(i int) any { return sized(i, 318) })...)},
		"more than 8000 characters":      {body: with(list(25, func(i int) any { return sized(i, 320) })...), want: "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			_, err := register(d.Session(t), d, tt.guild, []any{tt.body})
			if (err != nil) != (tt.want != "") || err != nil && code(err) != 50035 {
				t.Fatalf("gave %v", err)
			}
			if got := strings.Join(paths(tree(t, err), ""), " "); got != tt.want {
				t.Errorf("refused because of %q, want %q (%v)", got, tt.want, err)
			}
		})
	}
}

// sized is an option of so many characters in all.
func sized(i, size int) any {
	name := fmt.Sprintf("o%02d", i)
	size -= len(name) + 100
	var choices []any
	for n := 0; size > 0; n++ {
		text := fmt.Sprintf("%03d", n) + strings.Repeat("x", max(0, min(97, size-4)))
		choices = append(choices, obj{"name": text, "value": "v"})
		size -= len(text) + 1
	}
	return obj{"type": 3, "name": name, "description": long(100), "choices": choices}
}

func TestGlobalAndServerCommandsAreApart(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	const server = "1284551102903992320"
	if _, err := register(s, d, "", []any{obj{"name": "a", "description": "everywhere"}}); err != nil {
		t.Fatal(err)
	}
	inServer, err := register(s, d, server, []any{obj{"name": "b", "description": "here"}})
	if err != nil || len(inServer) != 1 || inServer[0].Name != "b" {
		t.Fatalf("in the server: %+v, %v", inServer, err)
	}
	if err := s.ApplicationCommandDelete(d.ClientID(), server, inServer[0].ID); err != nil {
		t.Fatal(err)
	}
	if left := d.Commands(); len(left) != 1 || left[0].Name != "a" {
		t.Errorf("left: %+v", left)
	}
	if _, err := s.ApplicationCommands("1", ""); code(err) != 20012 {
		t.Errorf("another application's commands: %v", err)
	}
	if _, err := s.ApplicationCommands(d.ClientID(), "1"); code(err) != 50001 {
		t.Errorf("another server's commands: %v", err)
	}
}
