package discordtest_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

type obj = map[string]any

func list[T any](n int, make func(i int) T) []T {
	all := []T{}
	for i := range n {
		all = append(all, make(i))
	}
	return all
}

func long(n int) string { return strings.Repeat("é", n) }

func buttonObj(i int) any {
	return obj{"type": 2, "style": 1, "label": "x", "custom_id": fmt.Sprint("b", i)}
}

func rowOf(parts ...any) obj { return obj{"type": 1, "components": parts} }

// paths lists where an error body finds something wrong.
func paths(tree obj, at string) []string {
	var found []string
	for key, value := range tree {
		if key == "_errors" {
			found = append(found, strings.TrimPrefix(at, "."))
			continue
		}
		if below, ok := value.(obj); ok {
			found = append(found, paths(below, at+"."+key)...)
		}
	}
	sort.Strings(found)
	return found
}

// What a message may hold is the same in all the places where one is made, so each case goes through a channel message.
func TestLimitsOfMessages(t *testing.T) {
	t.Parallel()
	embed := func(e obj) obj { return obj{"embeds": []any{e}} }
	components := func(parts ...any) obj { return obj{"content": "x", "components": parts} }
	for name, tt := range map[string]struct {
		body obj
		want string // path of the error; empty when accepted
		code int    // when it is not 50035
	}{
		"2000 characters":            {body: obj{"content": long(2000)}},
		"2001 characters":            {body: obj{"content": long(2001)}, want: "content"},
		"spaces are not counted":     {body: obj{"content": "  " + long(2000) + "\n"}},
		"nothing":                    {body: obj{"content": " "}, code: 50006},
		"nothing at all":             {body: obj{}, code: 50006},
		"content that is no text":    {body: obj{"content": 7}, want: "content"},
		"an unknown key":             {body: obj{"content": "x", "contents": "y"}, want: "contents"},
		"ten embeds":                 {body: obj{"embeds": list(10, func(int) any { return obj{"title": "x"} })}},
		"eleven embeds":              {body: obj{"embeds": list(11, func(int) any { return obj{"title": "x"} })}, want: "embeds"},
		"a title of 257":             {body: embed(obj{"title": long(257)}), want: "embeds.0.title"},
		"a description of 4097":      {body: embed(obj{"description": long(4097)}), want: "embeds.0.description"},
		"25 fields":                  {body: embed(obj{"fields": list(25, func(int) any { return obj{"name": "n", "value": "v"} })})},
		"26 fields":                  {body: embed(obj{"fields": list(26, func(int) any { return obj{"name": "n", "value": "v"} })}), want: "embeds.0.fields"},
		"a field without a value":    {body: embed(obj{"fields": []any{obj{"name": "n", "value": " "}}}), want: "embeds.0.fields.0.value"},
		"a field's name of 257":      {body: embed(obj{"fields": []any{obj{"name": long(257), "value": "v"}}}), want: "embeds.0.fields.0.name"},
		"a field's value of 1025":    {body: embed(obj{"fields": []any{obj{"name": "n", "value": long(1025)}}}), want: "embeds.0.fields.0.value"},
		"a footer of 2049":           {body: embed(obj{"title": "t", "footer": obj{"text": long(2049)}}), want: "embeds.0.footer.text"},
		"an author of 257":           {body: embed(obj{"title": "t", "author": obj{"name": long(257)}}), want: "embeds.0.author.name"},
		"an empty embed":             {body: embed(obj{"color": 1}), want: "embeds.0.description"},
		"a colour out of range":      {body: embed(obj{"title": "t", "color": 1 << 24}), want: "embeds.0.color"},
		"a host without a dot":       {body: embed(obj{"title": "t", "url": "http://localhost:8080"}), want: "embeds.0.url"},
		"an address that is none":    {body: embed(obj{"title": "t", "url": "javascript:alert(1)"}), want: "embeds.0.url"},
		"a timestamp that is none":   {body: embed(obj{"title": "t", "timestamp": "yesterday"}), want: "embeds.0.timestamp"},
		"6000 in all":                {body: obj{"embeds": []any{obj{"description": long(3000)}, obj{"description": long(3000)}}}},
		"6001 in all":                {body: obj{"embeds": []any{obj{"description": long(3000)}, obj{"description": long(3001)}}}, want: "embeds"},
		"five rows of five buttons":  {body: components(list(5, func(i int) any { return rowOf(list(5, func(j int) any { return buttonObj(5*i + j) })...) })...)},
		"six rows":                   {body: components(list(6, func(i int) any { return rowOf(buttonObj(i)) })...), want: "components"},
		"six buttons in a row":       {body: components(rowOf(list(6, buttonObj)...)), want: "components.0.components"},
		"an empty row":               {body: components(rowOf()), want: "components.0.components"},
		"the same id twice":          {body: components(rowOf(buttonObj(1)), rowOf(buttonObj(1))), want: "components.1.components.0.custom_id"},
		"an id of 101":               {body: components(rowOf(obj{"type": 2, "style": 1, "label": "x", "custom_id": long(101)})), want: "components.0.components.0.custom_id"},
		"a button without an id":     {body: components(rowOf(obj{"type": 2, "style": 1, "label": "x"})), want: "components.0.components.0.custom_id"},
		"a label of 81":              {body: components(rowOf(obj{"type": 2, "style": 1, "label": long(81), "custom_id": "a"})), want: "components.0.components.0.label"},
		"neither label nor emoji":    {body: components(rowOf(obj{"type": 2, "style": 1, "custom_id": "a"})), want: "components.0.components.0.label"},
		"only an emoji":              {body: components(rowOf(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"name": "🔥"}}))},
		"a link with an id":          {body: components(rowOf(obj{"type": 2, "style": 5, "label": "x", "url": "https://a.example", "custom_id": "a"})), want: "components.0.components.0.custom_id"},
		"a link without an address":  {body: components(rowOf(obj{"type": 2, "style": 5, "label": "x"})), want: "components.0.components.0.url"},
		"an address of 513":          {body: components(rowOf(obj{"type": 2, "style": 5, "label": "x", "url": "https://a.example/" + strings.Repeat("a", 495)})), want: "components.0.components.0.url"},
		"an unknown style":           {body: components(rowOf(obj{"type": 2, "style": 9, "label": "x", "custom_id": "a"})), want: "components.0.components.0.style"},
		"a list with 25 options":     {body: components(rowOf(selectObj(25, nil)))},
		"a list with 26 options":     {body: components(rowOf(selectObj(26, nil))), want: "components.0.components.0.options"},
		"a list without options":     {body: components(rowOf(selectObj(0, nil))), want: "components.0.components.0.options"},
		"a list beside a button":     {body: components(rowOf(selectObj(2, nil), buttonObj(1))), want: "components.0.components"},
		"a list to choose 3 of 2":    {body: components(rowOf(selectObj(2, obj{"max_values": 3}))), want: "components.0.components.0.max_values"},
		"at least 2 and at most 1":   {body: components(rowOf(selectObj(2, obj{"min_values": 2}))), want: "components.0.components.0.min_values"},
		"a text input in a message":  {body: components(rowOf(obj{"type": 4, "style": 1, "label": "x", "custom_id": "a"})), want: "components.0.components.0.type"},
		"a text display without v2":  {body: components(obj{"type": 10, "content": "x"}), want: "components.0.type"},
		"a text display with v2":     {body: obj{"flags": 1 << 15, "components": []any{obj{"type": 10, "content": "x"}}}},
		"content with v2":            {body: obj{"flags": 1 << 15, "content": "x", "components": []any{obj{"type": 10, "content": "x"}}}, want: ""},
		"a nonce of 26":              {body: obj{"content": "x", "nonce": strings.Repeat("n", 26)}, want: "nonce"},
		"parse beside a list":        {body: obj{"content": "x", "allowed_mentions": obj{"parse": []string{"users"}, "users": []string{"1"}}}, want: "allowed_mentions"},
		"mentions of another kind":   {body: obj{"content": "x", "allowed_mentions": obj{"parse": []string{"all"}}}, want: "allowed_mentions.parse.0"},
		"a reply to nothing":         {body: obj{"content": "x", "message_reference": obj{"message_id": "1"}}, want: "message_reference"},
		"a reply with a bad id":      {body: obj{"content": "x", "message_reference": obj{"message_id": "one"}}, want: "message_reference.message_id"},
		"a value under another type": {body: obj{"content": "x", "tts": "yes"}, want: "tts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			s := d.Session(t)
			_, err := post(s, d.Channel("tavern").ID(), tt.body)
			wantCode := tt.code
			if wantCode == 0 && (tt.want != "" || name == "content with v2") {
				wantCode = 50035
			}
			if code(err) != wantCode || wantCode == 0 && err != nil {
				t.Fatalf("gave %v, want code %d", err, wantCode)
			}
			if got := strings.Join(paths(tree(t, err), ""), " "); got != tt.want {
				t.Errorf("refused because of %q, want %q (%v)", got, tt.want, err)
			}
			if reported := len(d.Violations()) > 0; reported != (wantCode == 50035) {
				t.Errorf("violations: %v", d.Violations())
			}
		})
	}
}

func selectObj(n int, more obj) obj {
	o := obj{"type": 3, "custom_id": "s", "options": list(n, func(i int) any { return obj{"label": "x", "value": fmt.Sprint(i)} })}
	for key, value := range more {
		o[key] = value
	}
	return o
}

func TestLimitsOfAnswers(t *testing.T) {
	t.Parallel()
	input := func(id string, more obj) obj {
		o := obj{"type": 4, "custom_id": id, "style": 1}
		for key, value := range more {
			o[key] = value
		}
		return o
	}
	label := func(i int) any { return obj{"type": 18, "label": "Name", "component": input(fmt.Sprint("i", i), nil)} }
	modal := func(parts ...any) obj {
		return obj{"type": 9, "data": obj{"custom_id": "m", "title": "T", "components": parts}}
	}
	choices := func(n int) obj {
		return obj{"type": 8, "data": obj{"choices": list(n, func(i int) any { return obj{"name": "n", "value": fmt.Sprint(i)} })}}
	}
	const command, press, completing = "command", "press", "completing"
	for name, tt := range map[string]struct {
		to   string
		body obj
		want string
		code int
	}{
		"a message":                       {command, obj{"type": 4, "data": obj{"content": "x"}}, "", 0},
		"a message of nothing":            {command, obj{"type": 4, "data": obj{}}, "", 50006},
		"a message of 2001":               {command, obj{"type": 4, "data": obj{"content": long(2001)}}, "data.content", 0},
		"a deferral":                      {command, obj{"type": 5}, "", 0},
		"a private deferral":              {command, obj{"type": 5, "data": obj{"flags": 64}}, "", 0},
		"a deferral with another flag":    {command, obj{"type": 5, "data": obj{"flags": 4}}, "data", 0},
		"a deferral with content":         {command, obj{"type": 5, "data": obj{"content": "x"}}, "data", 0},
		"an update of no message":         {command, obj{"type": 7, "data": obj{"content": "x"}}, "type", 0},
		"a deferred update of no message": {command, obj{"type": 6}, "type", 0},
		"choices for a command":           {command, choices(1), "type", 0},
		"an unknown kind":                 {command, obj{"type": 99}, "", 0},
		"an update":                       {press, obj{"type": 7, "data": obj{"content": "y"}}, "", 0},
		"an update that leaves nothing":   {press, obj{"type": 7, "data": obj{"content": "", "components": []any{}}}, "", 50006},
		"a deferred update":               {press, obj{"type": 6}, "", 0},
		"a message for a press":           {press, obj{"type": 4, "data": obj{"content": "x", "flags": 64}}, "", 0},
		"a message for completing":        {completing, obj{"type": 4, "data": obj{"content": "x"}}, "type", 0},
		"no choices":                      {completing, choices(0), "", 0},
		"25 choices":                      {completing, choices(25), "", 0},
		"26 choices":                      {completing, choices(26), "data.choices", 0},
		"a choice without a name":         {completing, obj{"type": 8, "data": obj{"choices": []any{obj{"name": "", "value": "v"}}}}, "data.choices.0.name", 0},
		"a choice's name of 101":          {completing, obj{"type": 8, "data": obj{"choices": []any{obj{"name": long(101), "value": "v"}}}}, "data.choices.0.name", 0},
		"a choice's value of 101":         {completing, obj{"type": 8, "data": obj{"choices": []any{obj{"name": "n", "value": long(101)}}}}, "data.choices.0.value", 0},
		"a number for a text":             {completing, obj{"type": 8, "data": obj{"choices": []any{obj{"name": "n", "value": 1}}}}, "data.choices.0.value", 0},
		"a modal with labels":             {press, modal(list(5, label)...), "", 0},
		"a modal with rows":               {command, modal(rowOf(input("a", obj{"label": "Name"}))), "", 0},
		"six parts":                       {press, modal(list(6, label)...), "data.components", 0},
		"no parts":                        {press, modal(), "data.components", 0},
		"a title of 46":                   {press, obj{"type": 9, "data": obj{"custom_id": "m", "title": long(46), "components": []any{label(1)}}}, "data.title", 0},
		"a label of 46":                   {press, modal(obj{"type": 18, "label": long(46), "component": input("a", nil)}), "data.components.0.label", 0},
		"a row without a label":           {press, modal(rowOf(input("a", nil))), "data.components.0.components.0.label", 0},
		"two labels for one field":        {press, modal(obj{"type": 18, "label": "N", "component": input("a", obj{"label": "M"})}), "data.components.0.component.label", 0},
		"the same field twice":            {press, modal(label(1), label(1)), "data.components.1.component.custom_id", 0},
		"a button in a modal":             {press, modal(rowOf(buttonObj(1))), "data.components.0.components.0.type", 0},
		"a disabled list in a modal":      {press, modal(obj{"type": 18, "label": "N", "component": selectObj(2, obj{"disabled": true})}), "data.components.0.component.disabled", 0},
		"a value longer than allowed":     {press, modal(obj{"type": 18, "label": "N", "component": input("a", obj{"max_length": 2, "value": "abc"})}), "data.components.0.component.value", 0},
		"a text input of 4001":            {press, modal(obj{"type": 18, "label": "N", "component": input("a", obj{"max_length": 4001})}), "data.components.0.component.max_length", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			arrived := make(chan *discordgo.Interaction, 1)
			forward := func(_ *discordgo.Session, i *discordgo.InteractionCreate) { arrived <- i.Interaction }
			handlers := map[string]handler{"/request": forward, "complete request": forward, "go": forward}
			if tt.to == press {
				handlers["/request"] = say("x", 0, row(button("Go", "go")))
			}
			s := bot(t, d, handlers)
			maple := d.Player(t, "maple")
			switch tt.to {
			case command:
				maple.StartSlash("request mine")
			case press:
				maple.Slash("request mine").Button("Go").StartPress()
			case completing:
				go func() { defer func() { _ = recover() }(); maple.With(quiet{t}).Complete("request post", "item", "i") }()
			}
			i := <-arrived
			url := discordgo.EndpointInteractionResponse(i.ID, i.Token)
			_, err := s.RequestWithBucketID("POST", url, tt.body, "answers")
			wantCode := tt.code
			if wantCode == 0 && (tt.want != "" || name == "an unknown kind") {
				wantCode = 50035
			}
			if code(err) != wantCode || wantCode == 0 && err != nil {
				t.Fatalf("gave %v, want code %d", err, wantCode)
			}
			if got := strings.Join(paths(tree(t, err), ""), " "); got != tt.want && name != "an unknown kind" {
				t.Errorf("refused because of %q, want %q (%v)", got, tt.want, err)
			}
		})
	}
}

// quiet is a testing.TB that discards failures.
type quiet struct{ discordtest.TB }

func (quiet) Fatalf(string, ...any) { panic("quiet") }
func (quiet) Errorf(string, ...any) {}
func (quiet) Helper()               {}
