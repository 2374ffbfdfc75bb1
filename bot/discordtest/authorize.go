package discordtest

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
)

//go:embed page/authorize.html
var authorizeHTML string

var authorizePage = template.Must(template.New("authorize").Parse(authorizeHTML))

// What each scope lets the application do, in the words of the page.
var scopeWords = map[string]string{
	"identify": "Access your username and avatar",
	"email":    "Access your email address",
	"guilds":   "Know what servers you're in",
}

// showAuthorize is the page on which one agrees to be signed in.
func (d *Discord) showAuthorize(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	a, apiErr, problem := d.parseAuthorization(r.URL.Query())
	app := d.world.App
	type player struct{ ID, Name, Username, Colour, Initial string }
	var players []player
	for _, u := range d.world.players() {
		players = append(players, player{u.ID, u.name(), u.Username, u.Colour, string([]rune(u.name())[:1])})
	}
	d.mu.Unlock()
	if apiErr != nil {
		a := errorAnswer(apiErr)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body)
		return
	}
	if problem != "" {
		http.Redirect(w, r, a.denied(problem, ""), http.StatusFound)
		return
	}
	var words []string
	for _, s := range a.Scopes {
		if text := scopeWords[s]; text != "" {
			words = append(words, text)
		}
	}
	back, _ := url.Parse(a.RedirectURI)
	pageHeaders(w)
	// The page's form redirects to the application in the end, so the policy must allow it.
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	err := authorizePage.Execute(w, map[string]any{
		"App": app.Name, "Players": players, "Scopes": words,
		"Action": template.URL(r.URL.Path + "?" + r.URL.RawQuery), "Back": back.Scheme + "://" + back.Host,
	})
	if err != nil {
		d.log.Error("show the sign-in page", "error", err)
	}
}

// decideAuthorize takes the person's decision and sends them back to the application.
func (d *Discord) decideAuthorize(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	a, apiErr, problem := d.parseAuthorization(r.URL.Query())
	to := a.denied("access_denied", ownerDenied)
	if apiErr == nil && problem == "" {
		if u := d.world.userByID(r.FormValue("player")); u != nil && !u.Bot {
			to = d.consent(a, u)
		}
	}
	d.mu.Unlock()
	if apiErr != nil || problem != "" {
		http.Error(w, "this sign-in request is not valid", http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, to, http.StatusFound)
}

// name is how others see a user.
func (u *user) name() string {
	switch {
	case u.Nick != "":
		return u.Nick
	case u.GlobalName != "":
		return u.GlobalName
	}
	return u.Username
}
