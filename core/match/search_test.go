package match

import (
	"slices"
	"testing"

	"tradepost/core/game"
)

func TestAHyphenIsASpace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"iron-ore": {"iron", "ore"}, "Iron – Ore": {"iron", "ore"}, "iron\u2011ore": {"iron", "ore"}, "-": nil,
		"- iron -": {"iron"}, "100% e_c": {"100%", "e_c"}, "iron IRON iron-ore": {"iron", "ore"},
	} {
		if got := (OrderFilter{Text: text}).Words(); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

func TestAWordNamesProfessions(t *testing.T) {
	t.Parallel()
	professions := []game.Category{"Miner", "Merchant", "Master Chef", "Fisher"}
	for text, want := range map[string][]game.Category{
		"min": {"Miner"}, "MINER": {"Miner"}, "mi": nil, "iner": nil, "chef": {"Master Chef"}, "fish": {"Fisher"}, "miners": nil,
	} {
		terms := OrderFilter{Text: text, Means: Meaning{Professions: professions}}.Terms()
		if !slices.Equal(terms[0].Categories, want) {
			t.Errorf("%q names %q, want %q", text, terms[0].Categories, want)
		}
	}
	for text, want := range map[string]game.Category{
		"Bergmann": "Miner", "bergm": "Miner", "HÄNDLER": "Merchant", "fischer": "Fisher", "Holzfäller": "Woodcutter",
	} {
		terms := OrderFilter{Text: text, Means: Meaning{Professions: game.Standard().Categories()}}.Terms()
		if !slices.Equal(terms[0].Categories, []game.Category{want}) {
			t.Errorf("%q, which a German page shows, names %q, want %q", text, terms[0].Categories, want)
		}
	}
	terms := OrderFilter{Text: "minr ore", Means: Meaning{Professions: professions, Typo: "minr", Correction: "miner"}}.Terms()
	if !slices.Equal(terms[0].Spellings, []string{"minr", "miner"}) || !slices.Equal(terms[0].Categories, []game.Category{"Miner"}) ||
		!slices.Equal(terms[1].Spellings, []string{"ore"}) {
		t.Errorf("a corrected word finds %+v", terms)
	}
}

func TestOneTypoIsForgiven(t *testing.T) {
	t.Parallel()
	v := Vocabulary{}
	for _, name := range []string{"Iron Ore", "Iron Bar", "Copper Ore", "Silver Trout", "Über Öl", "Coal"} {
		v.Add(name, true)
	}
	v.Add("we are rowan and rowena, 250 or more of the coat", false)
	for word, want := range map[string][]string{
		"irn":     {"iron"},   // a letter is missing
		"ironn":   {"iron"},   // one too many
		"irom":    {"iron"},   // a wrong one
		"iorn":    {"iron"},   // two changed places
		"irmo":    nil,        // two are wrong
		"iro":     nil,        // the search finds it as it is
		"iron":    nil,        // known, and nothing like it
		"cooper":  {"copper"}, // the first that differs
		"silvre":  {"silver"},
		"ubxr":    nil,
		"ubber":   nil,
		"üer":     {"über"},
		"xron":    {"iron"},
		"or":      nil, // too short
		"rowans":  {"rowan"},
		"cola":    {"coal"},
		"coa1":    nil,              // a digit is no typo
		"coas":    {"coal", "coat"}, // of two, the one in a name first
		"zzzzzzz": nil,
	} {
		if got := v.corrections(word); !slices.Equal(got, want) {
			t.Errorf("%q may be %q, want %q", word, got, want)
		}
	}
	got := OrderFilter{Text: "coal ioron coat"}.typos(v)
	want := []typo{{"ioron", "iron"}, {"coat", "coal"}} // coat is known: it may be a name's word, and coal is in no other name
	if !slices.Equal(got, want) {
		t.Errorf("the typos may be %v, want %v", got, want)
	}
	f := OrderFilter{Text: "Irn-ore 5", Means: Meaning{Typo: "irn", Correction: "iron"}}
	if got := f.corrected(); got != "iron ore 5" {
		t.Errorf("the search is corrected to %q", got)
	}
}

func TestAVocabularyIsBounded(t *testing.T) {
	t.Parallel()
	v := Vocabulary{}
	letters := []rune("abcdefghijklmnopqrstuvwxyz")
	for i := range MaxVocabularyWords + 50 {
		v.Add(string([]rune{'w', letters[i/676/26%26], letters[i/676%26], letters[i/26%26], letters[i%26]}), false)
	}
	if len(v) != MaxVocabularyWords {
		t.Errorf("it has %d words, want %d", len(v), MaxVocabularyWords)
	}
}
