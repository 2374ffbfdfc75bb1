package firstlook

import (
	"bytes"
	"fmt"
	"html/template"

	"tradepost/core"
)

// Frame describes the parts of a document around its page.
type Frame struct {
	Language      string // as an IETF tag
	Features      core.Features
	VisitorsOffer bool // without an account
	Browse        bool // the page is the board, or a request on it
	Board         bool
}

// Items reports whether the market has a place for items.
func (f Frame) Items() bool { return f.Features.Items }

// Selling reports whether the market has a place for selling.
func (f Frame) Selling() bool { return f.Features.Stock }

// Trades reports whether the market has a place for trades.
func (f Frame) Trades() bool { return f.Features.Handover }

// Draw returns the links of the header, and the bar below it.
func (f Frame) Draw() (header, below []byte, err error) {
	words := wordsIn(f.Language)
	var drawn [2]bytes.Buffer
	for i, name := range []string{"header", "below"} {
		if err := words.templates.ExecuteTemplate(&drawn[i], name, f); err != nil {
			return nil, nil, fmt.Errorf("draw the %s: %w", name, err)
		}
	}
	return drawn[0].Bytes(), drawn[1].Bytes(), nil
}

// tabView is a link to a place.
type tabView struct {
	Address, Label   string
	Current, Counted bool
}

func tab(address, label string, current bool) tabView {
	return tabView{Address: address, Label: label, Current: current}
}

func counted(address, label string) tabView {
	return tabView{Address: address, Label: label, Counted: true}
}

// inline draws an icon where it is: a document's header is drawn without its requests.
func inline(name, class string) template.HTML {
	// #nosec G203 -- ours
	return template.HTML(`<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
		`stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" class="` + class + `">` +
		drawings[name] + `</svg>`)
}
