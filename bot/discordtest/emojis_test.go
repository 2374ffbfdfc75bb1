package discordtest_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
)

func drawing(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 16, 16))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func dataURI(data []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}

func TestEmojisOfTheApplication(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	s := d.Session(t)
	app := d.ClientID()
	picture := drawing(t)
	made, err := s.ApplicationEmojiCreate(app, &discordgo.EmojiParams{Name: "gold", Image: dataURI(picture)})
	if err != nil || made.ID == "" {
		t.Fatalf("create: %+v, %v", made, err)
	}
	for name, tt := range map[string]struct {
		emoji discordgo.EmojiParams
		want  string
	}{
		"the same name":    {discordgo.EmojiParams{Name: "gold", Image: dataURI(picture)}, "name"},
		"a dash":           {discordgo.EmojiParams{Name: "tree-pine", Image: dataURI(picture)}, "name"},
		"one letter":       {discordgo.EmojiParams{Name: "g", Image: dataURI(picture)}, "name"},
		"33 letters":       {discordgo.EmojiParams{Name: strings.Repeat("g", 33), Image: dataURI(picture)}, "name"},
		"no picture":       {discordgo.EmojiParams{Name: "silver", Image: "gold.png"}, "image"},
		"another picture":  {discordgo.EmojiParams{Name: "silver", Image: dataURI([]byte("<svg/>"))}, "image"},
		"more than 256 KB": {discordgo.EmojiParams{Name: "silver", Image: dataURI(append(slices.Clone(picture), make([]byte, 256<<10)...))}, "image"},
	} {
		_, err := s.ApplicationEmojiCreate(app, &tt.emoji)
		if code(err) != 50035 || !slices.Contains(paths(tree(t, err), ""), tt.want) {
			t.Errorf("%s: gave %v", name, err)
		}
	}
	if _, err := s.ApplicationEmojiCreate("1", &discordgo.EmojiParams{Name: "silver", Image: dataURI(picture)}); code(err) != 20012 {
		t.Errorf("of another application: %v", err)
	}
	if renamed, err := s.ApplicationEmojiEdit(app, made.ID, &discordgo.EmojiParams{Name: "crown"}); err != nil || renamed.Name != "crown" {
		t.Errorf("rename: %+v, %v", renamed, err)
	}
	if all, err := s.ApplicationEmojis(app); err != nil || len(all) != 1 || all[0].Name != "crown" {
		t.Errorf("list: %+v, %v", all, err)
	}
	channel := d.Channel("tavern").ID()
	on := func(id string) obj {
		return obj{"content": "x", "components": []any{rowOf(obj{"type": 2, "style": 1, "label": "x", "custom_id": "a", "emoji": obj{"id": id, "name": "crown"}})}}
	}
	if _, err := post(s, channel, on(made.ID)); err != nil {
		t.Errorf("on a button: %v", err)
	}
	if err := s.ApplicationEmojiDelete(app, made.ID); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := post(s, channel, on(made.ID)); code(err) != 50035 {
		t.Errorf("one that is gone, on a button: %v", err)
	}
	if _, err := s.ApplicationEmoji(app, made.ID); code(err) != 10014 {
		t.Errorf("one that is gone: %v", err)
	}
}
