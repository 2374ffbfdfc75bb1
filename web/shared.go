package web

import (
	"net/http"
	"regexp"
	"strings"

	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
	"tradepost/web/pages"
	"tradepost/web/serving"
)

var (
	ofOneItem  = regexp.MustCompile(`^itemId=[1-9][0-9]{0,17}$`)
	boardQuery = regexp.MustCompile(`^((category|sort|view)=[^&]*(&|$))*$`)
	orderPath  = regexp.MustCompile(`^(?:/api/orders|/requests)/([1-9][0-9]{0,17})(/card\.png)?$`)
	itemAPI    = regexp.MustCompile(`^/api/catalogue/[1-9][0-9]{0,17}(/prices|/odds)?$`)
	itemPages  = regexp.MustCompile(`^/items(/[1-9][0-9]{0,17}(/[^/]*)?)?$`)
	samePages  = regexp.MustCompile(`^/(mine(/offers)?|completed|offer|selling(/offers|/saved|/stock)?|` +
		`items/wanted|inbox|trades|moderation|(traders|lists)/[1-9][0-9]{0,17})$`)
)

// sharingOf returns how the response to a request may be kept, nil for not at all: when it depends on the
// person who asks, or when there are more of its kind than a cache should hold.
func (s *Server) sharingOf(r *http.Request) *kernel.Sharing {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	if found, keepForever := s.site.Asset(r.URL.Path); found {
		if keepForever {
			return &kernel.Sharing{Keys: "assets", Always: true}
		}
		return &kernel.Sharing{Keys: serving.KeyAll}
	}
	if _, named := bearer.Secret(r); named && strings.HasPrefix(r.URL.Path, "/api/") &&
		!kernel.IsPublic(r.URL.Path) {
		return nil // a program's owner reads it
	}
	if keys := s.sharedKeys(r); keys != nil {
		return &kernel.Sharing{Keys: strings.Join(append([]string{serving.KeyAll}, keys...), " ")}
	}
	return nil
}

// sharedKeys are the keys of a response besides KeyAll, nil when it may not be kept.
func (s *Server) sharedKeys(r *http.Request) []string {
	path, query := r.URL.Path, r.URL.RawQuery
	if path == kernel.ListsPath && (s.front.Cached.HasList(query) || ofOneItem.MatchString(query)) {
		return []string{serving.KeyLists}
	}
	if path == kernel.PublicPrefix+"orders" && s.front.Cached.HasList(query) {
		return []string{serving.KeyLists}
	}
	if path == "/" {
		return s.boardKeys(r)
	}
	picture := strings.HasSuffix(path, "/card.png") || path == pages.SiteCardPath
	if query != "" && !picture && query != "step=day" { // a picture's address has a version, for browsers
		return nil
	}
	if order := orderPath.FindStringSubmatch(path); order != nil {
		if strings.HasPrefix(path, "/api/") && (order[2] != "" || s.hasSession(r)) {
			return nil
		}
		return []string{"order-" + order[1]}
	}
	switch {
	case path == kernel.CountsPath:
		return []string{serving.KeyLists}
	case path == "/api/me" && !s.hasSession(r), path == pages.SiteCardPath, path == "/api/wanted",
		path == kernel.PublicPrefix+"wanted", samePages.MatchString(path):
		return []string{} // nothing but a new program changes it, or time
	case path == kernel.PublicPrefix+"catalogue", path == kernel.PublicPrefix+"prices/history",
		path == kernel.PublicPrefix+"prices/history.csv":
		return []string{serving.KeyItems}
	case path == kernel.PublicPrefix+"prices":
		return []string{serving.KeyItems, serving.KeyTrades}
	case itemAPI.MatchString(path), itemPages.MatchString(path):
		if keys := []string{serving.KeyItems}; strings.HasSuffix(path, "/prices") ||
			strings.HasSuffix(path, "/odds") || picture {
			return append(keys, serving.KeyTrades, serving.KeyLists)
		}
		return []string{serving.KeyItems}
	}
	return nil
}

// boardKeys are the keys of the board's document.
func (s *Server) boardKeys(r *http.Request) []string {
	if !boardQuery.MatchString(r.URL.RawQuery) || !s.site.ShowsAskedList(r) {
		return nil
	}
	return []string{serving.KeyLists}
}

// hasSession reports whether a request names a session, so that its response may be for its user alone.
func (s *Server) hasSession(r *http.Request) bool {
	_, err := r.Cookie(s.kernel.Session.Cookie.Name)
	return err == nil
}
