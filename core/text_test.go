package core_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

func TestTextIsCleaned(t *testing.T) {
	for name, tt := range map[string]struct{ typed, want string }{
		"spaces at the ends":           {"  Iron Ore\t", "Iron Ore"},
		"runs of any space":            {"Iron\u00a0\u2003 \u3000Ore", "Iron Ore"},
		"a line feed in a name":        {"Iron\nOre\r\n!", "Iron Ore !"},
		"NUL":                          {"Iron\x00 Ore", "Iron Ore"},
		"terminal codes":               {"\x1b[31mIron Ore", "[31mIron Ore"},
		"bytes that are no text":       {"Iron\xff\xfe Ore", "Iron Ore"},
		"half a surrogate pair":        {"Iron\xed\xa0\x80 Ore", "Iron Ore"},
		"invisible characters":         {"I\u200br\u2060o\ufeffn\u00ad Ore", "Iron Ore"},
		"a direction override":         {"\u202eerO norI\u202c", "erO norI"},
		"isolates":                     {"\u2066Iron\u2069 Ore", "Iron Ore"},
		"letters that show nothing":    {"\u3164Iron\u115f Ore\u2800", "Iron Ore"},
		"tag characters":               {"Iron\U000e0041\U000e0042 Ore", "Iron Ore"},
		"private use":                  {"Iron\ue000 Ore", "Iron Ore"},
		"decomposed letters":           {"Cafe\u0301", "Caf\u00e9"},
		"a pile of marks":              {"Z" + strings.Repeat("\u0335", 40), "Z" + strings.Repeat("\u0335", 4)},
		"an emoji of several parts":    {"👩\u200d🌾 wanted", "👩\u200d🌾 wanted"},
		"a joiner between letters":     {"Ir\u200don", "Iron"},
		"other scripts are left alone": {"Żelazo 鉄鉱石 حديد", "Żelazo 鉄鉱石 حديد"},
		"only what shows nothing":      {"\u200b\u2060 \u3164", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := coretest.OrderDraft(func(d *trade.OrderDraft) { d.ItemName = tt.typed }).Clean(game.Standard(), coretest.Forms)
			if d.ItemName != tt.want {
				t.Errorf("%q became %q, want %q", tt.typed, d.ItemName, tt.want)
			}
		})
	}
}

func TestADescriptionKeepsItsLines(t *testing.T) {
	typed := "\n\n first  line \r\nsecond\u2028third\n\n\n\n fourth\x00\n\n"
	d := coretest.OrderDraft(func(d *trade.OrderDraft) { d.Description = typed }).Clean(game.Standard(), coretest.Forms)
	if want := "first line\nsecond\nthird\n\nfourth"; d.Description != want {
		t.Errorf("got %q, want %q", d.Description, want)
	}
}

func TestNamesCannotContainTrustMarks(t *testing.T) {
	for _, mark := range []string{"✓", "✔", "✔️", "✅", "☑", "🛡️", "®", "\U0001fbb1", "\U00010102"} {
		d := coretest.OfferDraft(func(d *trade.OfferDraft) { d.SellerName, d.SellerContact = "Fern "+mark, mark+"fern" }).Clean(coretest.Forms)
		if d.SellerName != "Fern" || d.SellerContact != "fern" {
			t.Errorf("%q left %q and %q", mark, d.SellerName, d.SellerContact)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"Iron Ore", "\u202eerO", "👩\u200d🌾", "Z\u0335\u0335\u0335\u0335\u0335", "a\x00b", "\xff", "x\n\n\ny", "e\u200d\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		clean := func(s string) trade.OrderDraft {
			return trade.OrderDraft{ItemName: s, Description: s, BuyerContact: s}.Clean(game.Standard(), coretest.Forms)
		}
		once := clean(typed)
		if twice := clean(once.ItemName); twice.ItemName != once.ItemName {
			t.Errorf("cleaning %q again changes %q to %q", typed, once.ItemName, twice.ItemName)
		}
		if again := clean(once.Description); again.Description != once.Description {
			t.Errorf("cleaning %q again changes %q to %q", typed, once.Description, again.Description)
		}
		for _, s := range []string{once.ItemName, once.Description, once.BuyerContact} {
			if !utf8.ValidString(s) || strings.TrimSpace(s) != s {
				t.Errorf("%q left %q", typed, s)
			}
			for _, r := range s {
				if r != '\n' && unicode.Is(unicode.Cc, r) || 0x202a <= r && r <= 0x202e {
					t.Errorf("%q left %U in %q", typed, r, s)
				}
			}
		}
	})
}
