package web_test

import (
	"net/http"
	"strings"
	"testing"

	"tradepost/web"
)

func TestSecurityAndRobotsTexts(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) {
		o.PublicURL, o.SecurityContact, o.SubdomainsToo = "https://trade.example", "mailto:security@trade.example", true
	})
	got := s.visitor().get("/.well-known/security.txt").wants(http.StatusOK)
	want := "Contact: mailto:security@trade.example\nExpires: " + s.clock.now().AddDate(0, 0, 180).Format("2006-01-02") +
		"T00:00:00Z\nCanonical: https://trade.example/.well-known/security.txt\n"
	if string(got.body) != want || got.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("security.txt is %s\n%s\nwant\n%s", got.header.Get("Content-Type"), got.body, want)
	}
	if h := got.header.Get("Strict-Transport-Security"); h != "max-age=31536000; includeSubDomains" {
		t.Errorf("asked for subdomains, Strict-Transport-Security is %q", h)
	}
	robots := s.visitor().get("/robots.txt").wants(http.StatusOK)
	if text := string(robots.body); !strings.HasPrefix(text, "User-agent: *\n") || !strings.Contains(text, "Disallow: /moderation\n") || strings.Contains(text, "/requests") {
		t.Errorf("robots.txt is\n%s", text)
	}
	open(t).visitor().get("/.well-known/security.txt").wants(http.StatusNotFound)
}

func TestContactsOfASecurityText(t *testing.T) {
	t.Parallel()
	for contact, ok := range map[string]bool{
		"mailto:security@trade.example": true, "https://trade.example/security": true, "tel:+1-201-555-0123": true,
		"security@trade.example": false, "http://trade.example": false, "https://": false, "mailto:nobody": false, "javascript:alert(1)": false,
		"mailto:a@b\nExpires: x": false, "": false,
	} {
		if err := web.CheckSecurityContact(contact); (err == nil) != ok {
			t.Errorf("%q: %v", contact, err)
		}
	}
}
