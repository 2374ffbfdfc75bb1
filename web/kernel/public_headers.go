package kernel

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// PublicPrefix begins the addresses of public reads. They are for programs: the same for everyone, without
// a contact or an in-game name, cached by query, and readable by scripts of any site. No cookie is read or
// set there.
const PublicPrefix = "/api/public/"

// IsPublic reports whether a path is that of a public read.
func IsPublic(path string) bool { return strings.HasPrefix(path, PublicPrefix) }

// PublicFor is how long a client or a shared cache may use a public answer without asking again.
const PublicFor = 5 * time.Second

// Values of headers of public answers. All responses share their lists: nothing may be appended to them.
var (
	publicControl = []string{"public, max-age=" + strconv.Itoa(int(PublicFor/time.Second))}
	anyOrigin     = []string{"*"}
	exposed       = []string{"ETag, Link, RateLimit, RateLimit-Policy, Retry-After"}
)

// OpenToScripts lets scripts of any site read a response. There is no cookie in their requests.
func OpenToScripts(h http.Header) {
	h["Access-Control-Allow-Origin"], h["Access-Control-Expose-Headers"] = anyOrigin, exposed
}
