package kernel

import (
	"net/http"
	"strings"
)

// ProblemsPath begins the addresses of the pages about problems: the type of a problem is its page.
const ProblemsPath = "/problems/"

// name gives a problem its code, and with it its type. A code stays the same in every language and release.
func (p *Problem) name(code string) {
	if code != "" {
		p.Code, p.Type = code, ProblemsPath+code
	}
}

// codeOf returns the code of a problem of this adapter: the key of its message, else the words of its status.
func codeOf(status int, detail string) string {
	if key := messages[detail]; key != "" {
		return strings.TrimPrefix(key, "problem_")
	}
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
}
