package people

import (
	"net/url"
	"path"
	"strings"

	"tradepost/web/kernel"
)

// maxReturn is how long an address to return to may be, in bytes: filters are in it.
const maxReturn = 1024

// returnAddress confines where a sign-in leads back to: a page of this site, written as a path with its
// query. Anything that a browser might read as an address on another host becomes the front page.
func returnAddress(raw string) string {
	const front = "/"
	if len(raw) > maxReturn || !strings.HasPrefix(raw, "/") || strings.ContainsAny(raw, "\\") {
		return front
	}
	for _, r := range raw {
		if r <= ' ' || r == 0x7f || r == 0xfffd {
			return front // browsers drop some of these before they parse the rest
		}
	}
	to, err := url.Parse(raw)
	if err != nil || to.Scheme != "" || to.Host != "" || to.User != nil || to.Opaque != "" {
		return front
	}
	// The decoded path, also with its dots resolved, must not look like another host either.
	plain := path.Clean(to.Path)
	if strings.HasPrefix(to.Path, "//") || strings.ContainsAny(plain, "\\\t\r\n") || plain != to.Path &&
		plain+"/" != to.Path {
		return front
	}
	if kernel.IsPrivateLink(plain) || plain == "/auth" || plain == "/api" ||
		strings.HasPrefix(plain, "/auth/") || strings.HasPrefix(plain, "/api/") {
		return front // these are no pages, or secrets that are not stored with a sign-in
	}
	back := (&url.URL{Path: to.Path, RawQuery: to.RawQuery}).String()
	if len(back) > maxReturn {
		return front // it has grown by being escaped
	}
	return back
}
