package people

import "strings"

// known is a part of a User-Agent header and what people call it.
type known struct{ token, name string }

// The first that is found counts: later ones are also in the headers of earlier ones.
var (
	browsers = []known{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"},
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = []known{
		{"Windows", "Windows"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"},
		{"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// agentOf sums up a User-Agent header. The header itself, which can tell people apart, is not stored.
func agentOf(header string) string {
	find := func(among []known) string {
		for _, k := range among {
			if strings.Contains(header, k.token) {
				return k.name
			}
		}
		return ""
	}
	browser, system := find(browsers), find(systems)
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}
