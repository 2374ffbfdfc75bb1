package core

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Errors for suspicious content: the specification's sentence for a post, and a similar one for everything
// else.
var (
	SuspiciousPost    = NewText("suspicious_post")
	SuspiciousMessage = NewText("suspicious_message")
)

// suspiciousPhrases are the specification's. An operator adds more by TextForms.Suspicious.
var suspiciousPhrases = []string{"free money", "click here", "urgent", "limited time"}

// SuspiciousPhrases returns the specification's phrases. They are rejected on every market.
func SuspiciousPhrases() []string { return slices.Clone(suspiciousPhrases) }

// confusablesFile lists, for each letter from a to z, the letters and digits that look like it: the part of
// the confusables of Unicode 15 (UTS 39) that folding width, case and marks leaves over, small capitals,
// letters in filled circles and squares, and the digits that stand for letters. The dashboard reads the same
// file.
//
//go:embed confusables.json
var confusablesFile []byte

var lookAlikes = readLookAlikes(confusablesFile)

func readLookAlikes(file []byte) map[rune]rune {
	var byLetter map[string]string
	if err := json.Unmarshal(file, &byLetter); err != nil {
		panic("core: confusables.json: " + err.Error()) // it is part of the program
	}
	letters := map[rune]rune{}
	for letter, alike := range byLetter {
		for _, r := range alike {
			letters[r] = rune(letter[0])
		}
	}
	return letters
}

// suspicious returns the phrases that a cleaned text contains. A phrase counts where a word begins with it,
// and anywhere in letters that stand one by one; the spaces in it are optional.
func (f TextForms) suspicious(text string) map[string]bool {
	found := map[string]bool{}
	words, spelled := f.skeletons(text)
	for _, phrase := range append(suspiciousPhrases[:len(suspiciousPhrases):len(suspiciousPhrases)],
		f.Suspicious...) {
		want, _ := f.skeletons(phrase)
		joined := strings.Join(want, "")
		inSpelled := func(word string) bool { return strings.Contains(word, joined) }
		if joined != "" && (anyBeginsWith(words, want) || slices.ContainsFunc(spelled, inSpelled)) {
			found[phrase] = true
		}
	}
	return found
}

// anyBeginsWith reports whether, from the beginning of some word on, the words spell the phrase.
// The last word may be longer.
func anyBeginsWith(words, phrase []string) bool {
	joined := strings.Join(phrase, "")
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, joined):
			return true
		case len(words)-i < len(phrase):
			continue
		}
		last := len(phrase) - 1
		matches := strings.HasPrefix(words[i+last], phrase[last])
		for j := range last {
			matches = matches && words[i+j] == phrase[j]
		}
		if matches {
			return true
		}
	}
	return false
}

// skeletons returns the words of a text as the eye reads them: without case, width, marks and punctuation,
// with one letter for all that look alike. Skeletons are for comparing only: "click" becomes "cllck". Letters
// that stand one by one are a word, which is listed in spelled too.
func (f TextForms) skeletons(text string) (words, spelled []string) {
	if f.NFKD != nil {
		text = f.NFKD(text)
	}
	one := "" // letters that stand one by one
	end := func() {
		if one != "" {
			words = append(words, lookingAlike(one))
		}
		if utf8.RuneCountInString(one) > 1 {
			spelled = append(spelled, lookingAlike(one))
		}
		one = ""
	}
	for word := range strings.FieldsSeq(text) {
		// Before lower case and after it: a Greek capital may look like a letter that its small form does
		// not resemble.
		word = alike(strings.ToLower(alike(word)))
		if utf8.RuneCountInString(word) <= 1 {
			one += word
			continue
		}
		end()
		words = append(words, lookingAlike(word))
	}
	end()
	return words, spelled
}

// lookingAlike gives letters that look alike only side by side, or in lower case, one form.
func lookingAlike(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(word, "i", "l"), "rn", "m")
}

func alike(word string) string {
	return strings.Map(func(r rune) rune {
		if letter, known := lookAlikes[r]; known {
			return letter
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

// SuspiciousField is a field and its text, before and after a change. Before is empty for a new text.
type SuspiciousField struct {
	Name   string
	Before string
	After  string
}

// RefuseSuspicious returns Invalid, naming each field that contains a phrase it did not contain before, or
// the last field where only all of them together do.
func (f TextForms) RefuseSuspicious(text Text, fields ...SuspiciousField) error {
	var c Checks
	var before, after []string
	for _, field := range fields {
		c.That(!f.adds(field.Before, field.After), field.Name, text)
		before, after = append(before, field.Before), append(after, field.After)
	}
	if c.Err() == nil {
		c.That(!f.adds(strings.Join(before, " "), strings.Join(after, " ")), fields[len(fields)-1].Name, text)
	}
	return c.Err()
}

// adds reports whether the text contains a phrase that the earlier one did not.
func (f TextForms) adds(before, after string) bool {
	if before == after {
		return false
	}
	known := f.suspicious(before)
	for phrase := range f.suspicious(after) {
		if !known[phrase] {
			return true
		}
	}
	return false
}
