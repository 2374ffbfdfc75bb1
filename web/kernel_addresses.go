package web

import (
	"net/http"
	"net/url"
	"strings"

	"tradepost/core"
)

const (
	listsPath  = "/api/orders"
	countsPath = "/api/orders/counts"
	groupQuery = "group=" + string(core.ByItem)
)

// listAddress spells the address of a list as the page asks for it: a browser takes what it has loaded ahead only for
// the very same address.
func listAddress(category core.Category, sort core.Sort, grouped bool) string {
	if query := listQuery(category, sort, grouped); query != "" {
		return listsPath + "?" + query
	}
	return listsPath
}

func listQuery(category core.Category, sort core.Sort, grouped bool) string {
	query := []string{}
	if category != "" {
		query = append(query, "category="+encoded(string(category)))
	}
	if sort != core.Newest {
		query = append(query, "sort="+string(sort))
	}
	if grouped {
		query = append(query, groupQuery)
	}
	return strings.Join(query, "&")
}

// encoded spells a value within an address as a browser's encodeURIComponent does.
func encoded(value string) string {
	return asBrowsers.Replace(url.QueryEscape(value))
}

var asBrowsers = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

const (
	offerPagePrefix = "/offer/"
	offerLinkPrefix = "/api/offer-links/"
)

// isPrivateLink reports whether a path contains the secret of a private link.
func isPrivateLink(path string) bool {
	return strings.HasPrefix(path, offerPagePrefix) || strings.HasPrefix(path, offerLinkPrefix)
}

// The headers of every response at a private link: its address goes to no other site, no cache and no index of a search engine.
var privateLinkHeaders = http.Header{
	"Referrer-Policy": {"no-referrer"},
	"Cache-Control":   {"no-store"},
	"X-Robots-Tag":    {"noindex"},
}

const signOutPath = "/auth/sign-out"
