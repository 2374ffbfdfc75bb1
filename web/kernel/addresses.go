package kernel

import (
	"net/http"
	"net/url"
	"strings"

	"tradepost/core/game"
	"tradepost/core/match"
)

// The addresses of the lists that everybody sees, and the parameter that groups one by item.
const (
	ListsPath  = "/api/orders"
	CountsPath = "/api/orders/counts"
	GroupQuery = "group=" + string(match.ByItem)
)

// ListAddress spells the address of a list as the page asks for it: a browser takes what it has loaded
// ahead only for the very same address.
func ListAddress(category game.Category, sort match.Sort, grouped bool) string {
	if query := ListQuery(category, sort, grouped); query != "" {
		return ListsPath + "?" + query
	}
	return ListsPath
}

// ListQuery spells the query of a list as the page asks for it.
func ListQuery(category game.Category, sort match.Sort, grouped bool) string {
	query := []string{}
	if category != "" {
		query = append(query, "category="+Encoded(string(category)))
	}
	if sort != match.Newest {
		query = append(query, "sort="+string(sort))
	}
	if grouped {
		query = append(query, GroupQuery)
	}
	return strings.Join(query, "&")
}

// Encoded spells a value within an address as a browser's encodeURIComponent does.
func Encoded(value string) string {
	return asBrowsers.Replace(url.QueryEscape(value))
}

var asBrowsers = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// The addresses of a private link, before its secret: of its page, and of its operations.
const (
	OfferPagePrefix = "/offer/"
	OfferLinkPrefix = "/api/offer-links/"
)

// IsPrivateLink reports whether a path contains the secret of a private link.
func IsPrivateLink(path string) bool {
	return strings.HasPrefix(path, OfferPagePrefix) || strings.HasPrefix(path, OfferLinkPrefix)
}

// PrivateLinkHeaders are the headers of every response at a private link: its address goes to no other
// site, no cache and no index of a search engine.
var PrivateLinkHeaders = http.Header{
	"Referrer-Policy": {"no-referrer"},
	"Cache-Control":   {"no-store"},
	"X-Robots-Tag":    {"noindex"},
}

// SignOutPath is where a session is ended.
const SignOutPath = "/auth/sign-out"
