package firstlook

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"tradepost/core"
)

// Frame describes the parts of a document around its page.
type Frame struct {
	Language      string // as an IETF tag
	Features      core.Features
	VisitorsOffer bool // without an account
	Browse        bool // the page is the board, or a request on it
	Board         bool
	Address       string // of one of Places; empty for any other page
}

// Items reports whether the market has a place for items.
func (f Frame) Items() bool { return f.Features.Items }

// Selling reports whether the market has a place for selling.
func (f Frame) Selling() bool { return f.Features.Stock }

// Trades reports whether the market has a place for trades.
func (f Frame) Trades() bool { return f.Features.Handover }

// At reports whether the page is at an address, or below it.
func (f Frame) At(address string) bool {
	return f.Address == address || strings.HasPrefix(f.Address, address+"/")
}

// Drawn is the HTML of a frame.
type Drawn struct {
	Header, Below []byte // the links of the header, and the bar below it
	Page          []byte // nothing for a page that is not one of Places
}

// Draw returns the frame as HTML.
func (f Frame) Draw() (Drawn, error) {
	words := wordsIn(f.Language)
	f.Browse = f.Browse || onBoard(f.Address)
	draw := func(name string, data any) ([]byte, error) {
		var out bytes.Buffer
		if err := words.templates.ExecuteTemplate(&out, name, data); err != nil {
			return nil, fmt.Errorf("draw the %s: %w", name, err)
		}
		return out.Bytes(), nil
	}
	var drawn Drawn
	var errs [3]error
	drawn.Header, errs[0] = draw("header", f)
	drawn.Below, errs[1] = draw("below", f)
	if place, known := placesOf(f.Features)[f.Address]; known {
		drawn.Page, errs[2] = draw("page", place)
	}
	return drawn, errors.Join(errs[:]...)
}

// tabView is a link to a place.
type tabView struct {
	Address, Label   string
	Current, Counted bool
}

func tab(address, label string, current bool) tabView {
	return tabView{Address: address, Label: label, Current: current}
}

func counted(address, label string, current bool) tabView {
	return tabView{Address: address, Label: label, Current: current, Counted: true}
}

// inline draws an icon where it is: a document's header is drawn without its requests.
func inline(name, class string) template.HTML {
	// #nosec G203 -- ours
	return template.HTML(`<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
		`stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" class="` + class + `">` +
		drawings[name] + `</svg>`)
}
