package discordtest

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Authorize opens an address of the sign-in page as a browser does, agrees as the person, and gives the
// address that the page sends them to.
func (p *Player) Authorize(address string) *url.URL {
	p.t.Helper()
	return p.decide(address, p.u.ID)
}

// Deny opens the sign-in page and presses Cancel.
func (p *Player) Deny(address string) *url.URL {
	p.t.Helper()
	return p.decide(address, "")
}

func (p *Player) decide(address, player string) *url.URL {
	p.t.Helper()
	browser := &http.Client{
		Transport:     p.d.client.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	page, err := browser.Get(address)
	if err != nil {
		p.t.Fatalf("open the sign-in page: %v", err)
		return nil
	}
	defer page.Body.Close()
	body, _ := io.ReadAll(page.Body) // a short page fails the next check
	switch {
	case page.StatusCode == http.StatusFound: // the page sends problems straight back
		return p.location(page)
	case !strings.Contains(string(body), `value="`+player+`"`):
		p.t.Fatalf("the sign-in page (%d) has no button for %q: %s", page.StatusCode, player, body)
		return nil
	}
	decided, err := browser.PostForm(address, url.Values{"player": {player}})
	if err != nil {
		p.t.Fatalf("decide on the sign-in page: %v", err)
		return nil
	}
	defer decided.Body.Close()
	return p.location(decided)
}

func (p *Player) location(r *http.Response) *url.URL {
	p.t.Helper()
	to, err := r.Location()
	if err != nil {
		p.t.Fatalf("the sign-in page answered %d without an address to go to", r.StatusCode)
	}
	return to
}
