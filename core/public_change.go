package core

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// PublicKind is a kind of things that everybody may see.
type PublicKind string

// The kinds.
const (
	PublicOrder     PublicKind = "order"     // one that joined, changed in or left the lists
	PublicCatalogue PublicKind = "catalogue" // items were added or changed
	PublicRules     PublicKind = "rules"     // what moderators set for the whole market
)

// PublicKinds lists every kind.
var PublicKinds = []PublicKind{PublicOrder, PublicCatalogue, PublicRules}

// PublicChange says that something changed that everybody may see, and neither how nor why.
type PublicChange struct {
	Kind PublicKind
	ID   int64 // 0 where the kind has no single things
}

// PublicChangesFor is how long public changes are kept.
const PublicChangesFor = Day

// PublicPlace is a place in the public changes: after a change of a transaction.
type PublicPlace struct {
	Epoch  string // of the database: numbers of transactions mean something within one
	Tx, ID int64
}

// IsStart reports whether a place is none, which asks for the present one.
func (p PublicPlace) IsStart() bool { return p == PublicPlace{} }

// String writes the place as a word that ParsePublicPlace reads.
func (p PublicPlace) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.Epoch + ":" + strconv.FormatInt(p.Tx, 10) + ":" +
		strconv.FormatInt(p.ID, 10)))
}

// ParsePublicPlace reads a place; the empty word is none. It fails with CodeReadEverything.
func ParsePublicPlace(word string) (PublicPlace, error) {
	if word == "" {
		return PublicPlace{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(word)
	parts := strings.Split(string(text), ":")
	if err != nil || len(parts) != 3 {
		return PublicPlace{}, ReadEverything()
	}
	tx, err1 := strconv.ParseInt(parts[1], 10, 64)
	id, err2 := strconv.ParseInt(parts[2], 10, 64)
	p := PublicPlace{Epoch: parts[0], Tx: tx, ID: id}
	if err1 != nil || err2 != nil || tx < 0 || id < 0 || p.String() != word || p.IsStart() {
		return PublicPlace{}, ReadEverything()
	}
	return p, nil
}

// PublicPage is a part of the public changes, in order.
type PublicPage struct {
	Changes []PublicChange
	Next    PublicPlace // after the last of them
	More    bool        // follow at once
	Missed  bool        // changes after the asked place are gone, or the place is not of this database
}

// CodeReadEverything is the code of the Error of a reader of public changes who has missed some.
const CodeReadEverything = "read_everything"

// ReadEverything returns that error.
func ReadEverything() *Error {
	err := NewError(NotFound, NewText("read_everything"))
	err.Code = CodeReadEverything
	return err
}

// PublicChangesBefore returns the time before which public changes are removed.
func PublicChangesBefore(now time.Time) time.Time { return now.Add(-PublicChangesFor) }
