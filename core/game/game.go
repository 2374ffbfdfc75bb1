package game

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"tradepost/core"
)

// Game describes the game of a community's market: the professions that items belong to, and the coins.
type Game struct {
	Professions []Profession `json:"professions"` // in the order in which people see them
	Default     Category     `json:"default"`     // the category of an order when its buyer chose none
	Coins       []Coin       `json:"coins"`       // from the largest to the smallest
	Example     string       `json:"example"`     // an amount that messages show
}

// Profession is a category and its icon.
type Profession struct {
	Name Category `json:"name"`
	Icon string   `json:"icon"` // one of Icons
}

// Coin is a coin of the game.
type Coin struct {
	Name   string      `json:"name"`
	Letter string      `json:"letter"` // follows a count of it; either case is accepted
	Worth  core.Copper `json:"worth"`  // in the smallest coin
	Style  CoinStyle   `json:"look"`
}

// CoinStyle is how a coin is drawn, wherever it is.
type CoinStyle string

// CoinStyles lists every style of a coin.
var CoinStyles = []CoinStyle{"platinum", "gold", "silver", "copper"}

// Icons lists the signs that a profession may have. The page draws them
// (dashboard/src/components/category.tsx).
var Icons = []string{
	"leaf", "fish", "chef-hat", "flask-conical", "flower-2", "tree-pine", "hammer", "pickaxe", "bone",
	"anvil",
	"brick-wall", "scan-eye", "paw-print", "store", "swords", "gem", "scroll", "shield", "shirt", "wand",
}

// Limits of a game. A choice on Discord has room for 25, and "All" is one of them.
const (
	MaxProfessions = 24
	MaxCoins       = 4
	MaxGameName    = 32 // of a profession or a coin, in characters
	// of the same: an index has all professions of a watch in one entry, and no entry has room for more
	// than 2,700
	maxGameBytes = 64
)

//go:embed game.json
var standardGameJSON []byte

// Standard returns the built-in game, which applies unless the operator configures another.
func Standard() Game {
	g, err := Read(standardGameJSON)
	if err != nil {
		panic(err) // a mistake in game.json
	}
	return g
}

// IsStandard reports whether this is the game that comes along.
func (g Game) IsStandard() bool { return reflect.DeepEqual(g, Standard()) }

// Categories returns the professions in the order in which people see them.
func (g Game) Categories() []Category {
	categories := make([]Category, len(g.Professions))
	for i, p := range g.Professions {
		categories[i] = p.Name
	}
	return categories
}

// HasCategory reports whether the game has the category.
func (g Game) HasCategory(c Category) bool {
	return slices.ContainsFunc(g.Professions, func(p Profession) bool { return p.Name == c })
}

// UnknownCategory asks for one of the categories of the game.
func (g Game) UnknownCategory() core.Text {
	return core.NewText("category_not_listed", "count", len(g.Professions))
}

// Read reads a game as its operator writes it. Its error is one sentence that names the mistake.
func Read(data []byte) (Game, error) {
	var g Game
	// some editors begin a file with a mark
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&g); err != nil {
		return Game{}, describeJSONError(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Game{}, errors.New("unexpected text after the game's closing brace")
	}
	for _, check := range []func() error{g.checkProfessions, g.checkCoins} {
		if err := check(); err != nil {
			return Game{}, err
		}
	}
	example, err := g.ParseCopper("example", g.Example)
	if err != nil || example == 0 {
		return Game{}, fmt.Errorf("example: %q is no amount in these coins", g.Example)
	}
	g.Example = g.Format(example) // as the market prints it
	return g, nil
}

// describeJSONError rewrites an error of encoding/json for the operator who wrote the file.
func describeJSONError(err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON: %w (at byte %d)", err, syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a %s is not allowed there", orDefault(kind.Field, "the game"), kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is no JSON: it ends too soon")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: ")) // unknown field "…"
}

func orDefault(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}

func (g Game) checkProfessions() error {
	if len(g.Professions) == 0 {
		return errors.New("professions: there is none")
	}
	if len(g.Professions) > MaxProfessions {
		return fmt.Errorf("professions: there are %d, and Discord shows %d at most", len(g.Professions),
			MaxProfessions)
	}
	seen := map[string]bool{"all": true} // Discord's word for every one of them
	for i, p := range g.Professions {
		field := fmt.Sprintf("professions[%d]", i)
		if err := checkGameName(field, string(p.Name), seen); err != nil {
			return err
		}
		if !slices.Contains(Icons, p.Icon) {
			return fmt.Errorf("%s.icon: %q is none of %s", field, p.Icon, strings.Join(Icons, ", "))
		}
	}
	if !slices.ContainsFunc(g.Professions, func(p Profession) bool { return p.Name == g.Default }) {
		return fmt.Errorf("default: %q is none of the professions", g.Default)
	}
	return nil
}

func (g Game) checkCoins() error {
	if len(g.Coins) == 0 {
		return errors.New("coins: there is none")
	}
	if len(g.Coins) > MaxCoins {
		return fmt.Errorf("coins: there are %d, and the market knows %d at most", len(g.Coins), MaxCoins)
	}
	names, letters, looks := map[string]bool{}, map[string]bool{}, map[CoinStyle]bool{}
	for i, coin := range g.Coins {
		field := fmt.Sprintf("coins[%d]", i)
		if err := checkGameName(field, coin.Name, names); err != nil {
			return err
		}
		letter := strings.ToLower(coin.Letter)
		// The length before folding: other scripts fold to ASCII.
		if len(coin.Letter) != 1 || letter < "a" || letter > "z" {
			return fmt.Errorf("%s.letter: %q is no single letter from a to z", field, coin.Letter)
		}
		if letters[letter] {
			return fmt.Errorf("%s.letter: %q is another coin's already", field, coin.Letter)
		}
		letters[letter] = true
		if !slices.Contains(CoinStyles, coin.Style) {
			return fmt.Errorf("%s.look: %q is none of platinum, gold, silver, copper", field, coin.Style)
		}
		if looks[coin.Style] {
			return fmt.Errorf("%s.look: %q is another coin's already", field, coin.Style)
		}
		looks[coin.Style] = true
		if err := g.checkWorth(i); err != nil {
			return fmt.Errorf("%s.worth: %w", field, err)
		}
	}
	return nil
}

// checkWorth checks that each coin is worth a whole number of the one after it, down to the last,
// in which all is counted.
func (g Game) checkWorth(i int) error {
	worth, last := g.Coins[i].Worth, i == len(g.Coins)-1
	switch {
	case last && worth != 1:
		return fmt.Errorf("%d: the last coin is the smallest, and worth 1", worth)
	case worth > core.MaxPrice:
		return fmt.Errorf("%d: nothing costs more than %d", worth, core.MaxPrice)
	case last:
		return nil
	}
	next := g.Coins[i+1].Worth
	if next < 1 || worth <= next || worth%next != 0 {
		return fmt.Errorf("%d: a coin is worth more than the one after it (%d), and a multiple of it",
			worth, next)
	}
	return nil
}

// checkGameName returns an error for a name that is empty, too long, badly written, or seen before
// in whatever case.
func checkGameName(field, name string, seen map[string]bool) error {
	switch folded := strings.ToLower(name); {
	case name == "":
		return fmt.Errorf("%s.name: it is missing", field)
	case !core.Within(name, MaxGameName):
		return fmt.Errorf("%s.name: %q has more than %d characters", field, name, MaxGameName)
	case len(name) > maxGameBytes:
		return fmt.Errorf("%s.name: %q has more than %d bytes", field, name, maxGameBytes)
	case core.TextForms{}.Line(name) != name:
		return fmt.Errorf("%s.name: %q begins, ends or is filled with what cannot be seen", field, name)
	case seen[folded]:
		return fmt.Errorf("%s.name: %q is taken already", field, name)
	default:
		seen[folded] = true
		return nil
	}
}
