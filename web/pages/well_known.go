package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	securityTextPath = "/.well-known/security.txt"
	robotsPath       = "/robots.txt"

	contentTypeText = "text/plain; charset=utf-8"

	// securityTextFor is how long a reader may rely on a security.txt. RFC 9116 wants less than a year.
	securityTextFor = 180 * 24 * time.Hour
)

// CheckSecurityContact returns an error when RFC 9116 does not allow a contact.
func CheckSecurityContact(contact string) error {
	address, err := url.Parse(contact)
	if err != nil || strings.ContainsAny(contact, " \r\n") || !reachable(address) {
		return errors.New("want an address such as mailto:security@trade.example or " +
			"https://trade.example/security")
	}
	return nil
}

func reachable(address *url.URL) bool {
	switch address.Scheme {
	case "mailto":
		return strings.Contains(address.Opaque, "@")
	case "https":
		return address.Host != ""
	case "tel":
		return address.Opaque != ""
	}
	return false
}

// securityText serves security.txt, the contact for vulnerability reports about this site (RFC 9116).
func (s *Site) securityText(w http.ResponseWriter, r *http.Request) {
	if s.opts.SecurityContact == "" {
		s.NotFound(w, r)
		return
	}
	writeText(w, r, fmt.Sprintf("Contact: %s\nExpires: %s\nCanonical: %s%s\n", s.opts.SecurityContact,
		s.Now().UTC().Add(securityTextFor).Truncate(24*time.Hour).Format(time.RFC3339), s.Public,
		securityTextPath))
}

// robotsText keeps users' own pages out of search engines. A private link is not listed: its page forbids
// indexing by a header, which only a crawler that may fetch it can read.
const robotsText = "User-agent: *\nAllow: /api/docs\nDisallow: /api/\nDisallow: /auth/\nDisallow: /inbox\n" +
	"Disallow: /mine\nDisallow: /moderation\nDisallow: /offers\n"

func (*Site) robots(w http.ResponseWriter, r *http.Request) { writeText(w, r, robotsText) }

func writeText(w http.ResponseWriter, r *http.Request, text string) {
	w.Header().Set("Content-Type", contentTypeText)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(text)) // a client that has left needs no more
	}
}
