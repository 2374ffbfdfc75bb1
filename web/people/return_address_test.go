package people

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// asBrowsersRead does to an address what browsers do before they look at it.
func asBrowsersRead(address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	path, query, found := strings.Cut(address, "?")
	path = strings.ReplaceAll(path, `\`, "/")
	if found {
		return path + "?" + query
	}
	return path
}

// FuzzReturnAddress looks for an address that leads away from the site in the eyes of any browser.
func FuzzReturnAddress(f *testing.F) {
	for _, address := range []string{
		"/", "/mine", "/requests/7?q=iron&sort=price#top", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example", "/.//evil.example",
		"/%2F/evil.example", "/x/..//evil.example", "javascript:alert(1)", "/%5c%5cevil.example", "\x00/evil", "/\u2028/evil.example", "/?//evil.example", "/%2e%2e//evil.example",
		"/;//evil.example", "/:80//evil.example", "/@evil.example", "/\r\nSet-Cookie: a=b", "/auth/discord?return=/auth/discord", "/%61uth/discord", "/a?b?c", "/?",
	} {
		f.Add(address)
	}
	site, err := url.Parse("https://trade.example")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		back := returnAddress(address)
		if !strings.HasPrefix(back, "/") || len(back) > maxReturn || strings.ContainsFunc(back, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("%q leads to %q", address, back)
		}
		for _, read := range []string{back, asBrowsersRead(back), site.String() + back} {
			to, err := url.Parse(read)
			if err != nil {
				t.Fatalf("%q leads to %q, which no browser understands: %v", address, back, err)
			}
			to = site.ResolveReference(to)
			if to.Scheme != site.Scheme || to.Host != site.Host || to.User != nil || strings.HasPrefix(to.Path, "//") {
				t.Errorf("%q leads to %q, which is %s", address, back, to)
			}
			if slices.Contains([]string{"auth", "api"}, strings.Split(to.Path+"/", "/")[1]) {
				t.Errorf("%q leads to %q, which is no page", address, back)
			}
		}
		if again := returnAddress(back); again != back {
			t.Errorf("%q leads to %q, and that to %q", address, back, again)
		}
	})
}
