// Package token has the rules of personal tokens, with which a program acts for a person.
package token

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"time"

	"tradepost/core"
)

// Scope is a part of what its owner may do that a token may do, too.
type Scope string

// The scopes. None of them reaches sessions, tokens, leaving, moderation and operating.
const (
	Read  Scope = "read"  // see what its owner sees
	Trade Scope = "trade" // post requests, offer, accept, log sales; only while moderators allow it
	Stock Scope = "stock" // say what its owner has and sells
	Inbox Scope = "inbox" // read its owner's notices and the offers on their requests
)

// Scopes lists every scope.
var Scopes = []Scope{Read, Trade, Stock, Inbox}

const (
	// MaxName is how long the name of a token may be, in characters.
	MaxName = 50
	// touchEvery is how often the last use of a token is stored.
	touchEvery = time.Hour
)

// Lives lists for how many days a token can be made.
var Lives = []int{30, 90, 365}

// Token is a token as its owner sees it. The secret is shown once, when it is made; only its hash is stored.
type Token struct {
	ID        core.TokenID
	Owner     core.UserID
	Name      string
	Scopes    []Scope
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // up to an hour before the last use; zero for never

	// Hash is of the secret. It is set in a token that was just made, and empty in one that was read.
	Hash []byte `json:",omitempty"`
}

// Found is a token as the store finds it by its secret.
type Found struct {
	Token
	SignedOutAt time.Time // when its owner last signed out everywhere; zero for never
	Blocked     bool      // its owner
	Leaving     bool      // its owner

	TradeAllowed bool // by moderators
}

// Live reports whether the token can be used: until it expires, its owner signs out everywhere, leaves or is
// blocked.
func (f Found) Live(now time.Time) bool {
	return now.Before(f.ExpiresAt) && !f.CreatedAt.Before(f.SignedOutAt) && !f.Blocked && !f.Leaving
}

// May reports whether the token may do what needs a scope. Nothing is allowed that needs none: what declares
// no scope is not for tokens.
func (f Found) May(need Scope) bool {
	return slices.Contains(f.Scopes, need) && (need != Trade || f.TradeAllowed)
}

// Touches reports whether a use now is stored as the last one.
func (t Token) Touches(now time.Time) bool { return now.Sub(t.UsedAt) >= touchEvery }

// Draft is a token that its owner wants.
type Draft struct {
	Name   string
	Scopes []Scope
	Days   int
}

// Make returns the token that a person makes who has others, for a secret. It fails with Unauthenticated,
// Forbidden when they are blocked or without a fresh sign-in, Invalid, and Conflict when they have too many.
func (d Draft) Make(
	by core.Actor, others int, secret string, forms core.TextForms, now time.Time,
) (Token, error) {
	if err := MayMake(by, now); err != nil {
		return Token{}, err
	}
	d.Name = forms.Line(d.Name)
	var c core.Checks
	c.That(d.Name != "", "name", core.NewText("token_name_required"))
	c.That(core.Within(d.Name, MaxName), "name", core.TooLong("token_name_too_long", MaxName))
	c.That(len(d.Scopes) > 0, "scopes", core.NewText("token_scope_required"))
	for _, scope := range d.Scopes {
		c.That(slices.Contains(Scopes, scope), "scopes", core.NewText("token_scope_unknown"))
	}
	c.That(slices.Contains(Lives, d.Days), "days", core.NewText("token_days_unknown"))
	if err := c.Err(); err != nil {
		return Token{}, err
	}
	if others >= core.MaxTokens {
		return Token{}, core.LimitTokens.Over(0, "count", core.MaxTokens)
	}
	scopes := slices.DeleteFunc(slices.Clone(Scopes),
		func(s Scope) bool { return !slices.Contains(d.Scopes, s) })
	return Token{
		Owner: by.UserID, Name: d.Name, Scopes: scopes, CreatedAt: now,
		ExpiresAt: now.Add(time.Duration(d.Days) * core.Day), Hash: Hash(secret),
	}, nil
}

// MayMake fails with Unauthenticated, and with Forbidden for a person who is blocked, who acts by a token, or
// whose sign-in is not fresh.
func MayMake(by core.Actor, now time.Time) error {
	if err := by.MayTrade(); err != nil {
		return err
	}
	return by.MustBeFresh(now)
}

// A secret is its prefix, letters and digits that were drawn, and a checksum of them: scanners of published
// code know one by its form, and ask nothing for what only looks like one.
const (
	prefix   = "tp_"
	drawn    = 30
	checked  = 6 // as many as a checksum of 32 bits needs
	alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewSecret draws a secret.
func NewSecret(random io.Reader) (string, error) {
	text := make([]byte, 0, drawn)
	some := make([]byte, drawn)
	for len(text) < drawn {
		if _, err := io.ReadFull(random, some); err != nil {
			return "", fmt.Errorf("draw a token: %w", err)
		}
		for _, b := range some {
			// the rest of a byte beyond 4 × 62 would make some letters likelier
			if int(b) < 4*len(alphabet) && len(text) < drawn {
				text = append(text, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return prefix + string(text) + checksum(string(text)), nil
}

func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	digits := make([]byte, checked)
	for i := checked - 1; i >= 0; i-- {
		digits[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return string(digits)
}

// WellFormed reports whether a text has the form of a secret, with the right checksum.
func WellFormed(secret string) bool {
	text, ok := strings.CutPrefix(secret, prefix)
	return ok && len(text) == drawn+checked && strings.Trim(text, alphabet) == "" &&
		checksum(text[:drawn]) == text[drawn:]
}

// Hash returns the form in which a secret is stored. It has no salt, since a secret is no password: it is too
// long to be found by trying.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
