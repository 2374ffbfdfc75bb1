package bot

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./bot -update writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s has changed (-want +got); when that is right, go test ./bot -update\n%s", file, diff)
	}
}

func TestSentencesNameCommandsThatExist(t *testing.T) {
	mention := regexp.MustCompile(`/([a-zäöü]+)(?: ([a-zäöü-]+))?`)
	for i, l := range msg.Languages {
		known := map[string]bool{}
		for _, c := range commandTree(game.Standard(), core.EveryFeature(), msg.NewOffered(nil)) {
			name := func(path, own string) string {
				if i > 0 {
					return l.Commands[path].Name
				}
				return own
			}
			group := name(c.Name, c.Name)
			known[group] = true
			for _, s := range c.Options {
				known[group+" "+name(c.Name+" "+s.Name, s.Name)] = true
			}
		}
		var texts []string
		for _, m := range l.Messages {
			texts = append(texts, m.Variants()...)
		}
		for _, m := range l.Errors {
			texts = append(texts, m.Variants()...)
		}
		for _, text := range texts {
			for _, m := range mention.FindAllStringSubmatch(strings.ReplaceAll(text, "Europe/", ""), -1) {
				if !known[m[1]] && !known[m[1]+" "+m[2]] || m[2] != "" && strings.Contains(text, "`/"+m[1]) && !known[m[1]+" "+m[2]] {
					t.Errorf("%s: %q names %q, which is no command", l.Locales[0], text, m[0])
				}
			}
		}
	}
}

func TestEveryCommandHasItsNameInEveryLanguage(t *testing.T) {
	paths, inMenus := map[string]bool{}, map[string]bool{}
	var walk func(path string, options []*discordgo.ApplicationCommandOption)
	walk = func(path string, options []*discordgo.ApplicationCommandOption) {
		for _, o := range options {
			paths[path+" "+o.Name] = true
			walk(path+" "+o.Name, o.Options)
			for _, c := range o.Choices {
				for _, l := range msg.Languages[1:] {
					if c.NameLocalizations[discordgo.Locale(l.Locales[0])] == "" {
						t.Errorf("%s: the choice %q has no name", l.Locales[0], c.Value)
					}
				}
			}
		}
	}
	for _, c := range commandTree(game.Standard(), core.EveryFeature(), msg.NewOffered(nil)) {
		paths[c.Name], inMenus[c.Name] = true, commands.InMenu(c)
		walk(c.Name, c.Options)
	}
	for _, l := range msg.Languages[1:] {
		for path := range paths {
			if n := l.Commands[path]; n.Name == "" || n.Description == "" && !inMenus[path] {
				t.Errorf("%s: %q has no name or description", l.Locales[0], path)
			}
		}
		for path := range l.Commands {
			if !paths[path] {
				t.Errorf("%s: %q is no command", l.Locales[0], path)
			}
		}
	}
}

func TestCommandsBesideEachOtherHaveDifferentNamesInEveryLanguage(t *testing.T) {
	for _, l := range msg.Languages[1:] {
		named := map[string]string{}
		for path, c := range l.Commands {
			words := strings.Fields(path)
			at := strings.Join(words[:len(words)-1], " ") + "/" + c.Name
			if other := named[at]; other != "" {
				t.Errorf("%s: %q and %q are both called %q", l.Locales[0], path, other, c.Name)
			}
			named[at] = path
		}
	}
}

func TestTheCommandTree(t *testing.T) {
	tree := commandTree(game.Standard(), core.AllFeatures(), msg.NewOffered(nil))
	var plain any
	data, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(data, &plain)
	}
	if err == nil {
		data, err = json.MarshalIndent(withoutEmpty(plain), "", "  ")
	}
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "commands.json", string(data)+"\n")
	for _, c := range tree {
		if commands.InMenu(c) {
			continue // it has a name only
		}
		if n := commandSize(c.Name, c.Description, *c.NameLocalizations, *c.DescriptionLocalizations, c.Options); n > 8000 {
			t.Errorf("/%s has %d characters", c.Name, n)
		}
	}
	b := New(nil, Options{})
	for _, c := range tree {
		subcommands := c.Options
		if len(c.Options) == 0 && b.kernel.Table.Commands[c.Name].Do == nil {
			t.Errorf("%q has no handler", c.Name)
		}
		if len(subcommands) > 0 && subcommands[0].Type != discordgo.ApplicationCommandOptionSubCommand { // it has no subcommands
			subcommands = []*discordgo.ApplicationCommandOption{{Options: c.Options}}
		}
		for _, s := range subcommands {
			path := strings.TrimSpace(c.Name + " " + s.Name)
			if b.kernel.Table.Commands[path].Do == nil {
				t.Errorf("/%s has no handler", path)
			}
			for _, o := range s.Options {
				if suggests := b.kernel.Table.Suggestions[path+" "+o.Name] != nil; suggests != o.Autocomplete {
					t.Errorf("/%s %s: completes %v, has a handler %v", path, o.Name, o.Autocomplete, suggests)
				}
			}
		}
	}
}

// A translation may be a third longer than the English or the German text.
func TestCommandsHaveRoomForLongerTexts(t *testing.T) {
	t.Parallel()
	for _, l := range msg.Languages {
		check := func(path, text string, most int) {
			if n := discord.Size(text); n > most {
				t.Errorf("%s, a third longer: %s is %d characters of at most %d: %s", l.Name, path, n, most, text)
			}
		}
		var walk func(path string, options []*discordgo.ApplicationCommandOption)
		walk = func(path string, options []*discordgo.ApplicationCommandOption) {
			for _, o := range options {
				own := path + " " + o.Name
				check(own, o.NameLocalizations["en-US"], 32)
				check(own, o.Description, 100)
				for _, c := range o.Choices {
					check(own, c.Name, discord.MaxOptionLabel)
				}
				walk(own, o.Options)
			}
		}
		for _, c := range commandTree(game.Standard(), core.EveryFeature(), msg.Offered{Pseudo(l)}) {
			check(c.Name, (*c.NameLocalizations)["en-US"], 32)
			if commands.InMenu(c) {
				continue
			}
			check(c.Name, c.Description, 100)
			walk(c.Name, c.Options)
			if n := commandSize(c.Name, c.Description, *c.NameLocalizations, *c.DescriptionLocalizations, c.Options); n > 8000 {
				t.Errorf("%s, a third longer: /%s has %d characters", l.Name, c.Name, n)
			}
		}
	}
}

// withoutEmpty leaves out what the library writes for fields that are not set.
func withoutEmpty(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			if v[key] == nil || v[key] == false {
				delete(v, key)
			} else {
				v[key] = withoutEmpty(v[key])
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutEmpty(v[i])
		}
	}
	return value
}

// commandSize counts as Discord does: of translations the longest.
func commandSize(name, description string, names, descriptions map[discordgo.Locale]string, options []*discordgo.ApplicationCommandOption) int {
	longest := func(text string, in map[discordgo.Locale]string) int {
		n := utf8.RuneCountInString(text)
		for _, other := range in {
			n = max(n, utf8.RuneCountInString(other))
		}
		return n
	}
	n := longest(name, names) + longest(description, descriptions)
	for _, o := range options {
		n += commandSize(o.Name, o.Description, o.NameLocalizations, o.DescriptionLocalizations, o.Options)
		for _, c := range o.Choices {
			n += longest(c.Name, c.NameLocalizations) + utf8.RuneCountInString(fmt.Sprint(c.Value))
		}
	}
	return n
}

func TestErrorsAreInTheUsersLanguage(t *testing.T) {
	err := core.NewError(core.Invalid, core.NewText("quantity_range", "most", 20))
	if got := kernel.TranslatorFor("de", game.Standard()).ErrorReply(err).Text; !strings.HasPrefix(string(got), "Wähl eine Menge von 1 bis 20\n") {
		t.Errorf("German: %q", got)
	}
	if got := kernel.TranslatorFor("fr", game.Standard()).ErrorReply(err).Text; !strings.HasPrefix(string(got), "Choose a quantity from 1 to 20\n") {
		t.Errorf("a language that we do not speak: %q", got)
	}
}

func TestQuotaErrorsAreInTheUsersLanguage(t *testing.T) {
	wait := func(count int, unit string) core.WaitTime { return core.WaitTime{Count: count, Unit: unit} }
	for want, text := range map[string]core.Text{
		"In 12 Minuten kannst du wieder ein Gesuch einstellen.":                core.NewText("quota_post", "wait", wait(12, "minute")),
		"In 1 Minute kannst du wieder etwas anbieten.":                         core.NewText("quota_offer", "wait", wait(1, "minute")),
		"In 23 Stunden kannst du auf dieses Gesuch wieder etwas anbieten.":     core.NewText("quota_offer_here", "wait", wait(23, "hour")),
		"In 2 Tagen kannst du wieder etwas melden.":                            core.NewText("quota_report", "wait", wait(2, "day")),
		"Du hast 60 offene Gesuche. Schließ eines, um ein neues einzustellen.": core.NewText("quota_open_requests", "count", 60),
	} {
		err := core.NewError(core.TooMany, text)
		err.Code, err.RetryAfter = core.CodeQuota, time.Minute
		if got := string(kernel.TranslatorFor("de", game.Standard()).ErrorReply(err).Text); got != want {
			t.Errorf("%q is %q in German, want %q", text, got, want)
		}
		if got := string(kernel.TranslatorFor("en-GB", game.Standard()).ErrorReply(err).Text); got != text.String() {
			t.Errorf("%q is %q in English", text, got)
		}
	}
}

// productDirs lists a directory and those below it that hold no tests' helpers.
func productDirs(t *testing.T, root string) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
				dirs = append(dirs, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
