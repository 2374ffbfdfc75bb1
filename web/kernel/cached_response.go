package kernel

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// CachedResponse is a response in each representation. It is compressed once, and the same for everybody.
type CachedResponse struct {
	contentType []string
	language    []string // of a document, nil for what has none
	control     []string // its Cache-Control
	link        []string // to the next page, nil for none
	public      bool     // for scripts of any site
	Plain, gzip representation
}

// representation is a cached response in one encoding. Its headers are made once, and every answer shares
// their lists.
type representation struct {
	Body                         []byte
	etag, length, encoding, vary []string
}

// VaryByLanguage is the Vary header of documents, but for their encoding.
const VaryByLanguage = "Accept-Language, Cookie"

var (
	varyByEncoding = []string{"Accept-Encoding"}
	varyByLanguage = []string{"Accept-Encoding, " + VaryByLanguage}
)

// NewCachedResponse makes the representations of a body.
func NewCachedResponse(contentType []string, body []byte) *CachedResponse {
	sum := sha256.Sum256(body)
	etag := hex.EncodeToString(sum[:8])
	var compressed bytes.Buffer
	zip := gzip.NewWriter(&compressed)
	_, _ = zip.Write(body) // into memory: neither can fail
	_ = zip.Close()
	c := &CachedResponse{contentType: contentType, control: revalidate}
	c.Plain = representation{
		Body: body, etag: []string{`"` + etag + `"`}, length: []string{strconv.Itoa(len(body))},
		vary: varyByEncoding,
	}
	c.gzip = representation{
		Body: compressed.Bytes(), etag: []string{`"` + etag + `-gz"`},
		length:   []string{strconv.Itoa(compressed.Len())},
		encoding: []string{"gzip"}, vary: varyByEncoding,
	}
	return c
}

// NewPublicResponse makes the representations of a body that is the same for everyone.
func NewPublicResponse(contentType []string, body []byte) *CachedResponse {
	c := NewCachedResponse(contentType, body)
	c.control, c.public = publicControl, true
	return c
}

// Values of headers. All responses share their lists: nothing may be appended to them.
var (
	ContentTypeJSON = []string{"application/json"}
	ContentTypeHTML = []string{"text/html; charset=utf-8"}
	revalidate      = []string{"no-cache"} // may be stored, must be revalidated
)

// Serve sends the representation that the client accepts, or Not Modified when the client has it.
func (c *CachedResponse) Serve(w http.ResponseWriter, r *http.Request) (status, sent int) {
	form := &c.Plain
	if accepted := r.Header["Accept-Encoding"]; len(accepted) > 0 && Accepts(accepted[0], "gzip") {
		form = &c.gzip
	}
	h := w.Header()
	h["Cache-Control"], h["Etag"], h["Vary"] = c.control, form.etag, form.vary
	if c.public {
		OpenToScripts(h)
	}
	if known := r.Header["If-None-Match"]; len(known) > 0 && strings.Contains(known[0], form.etag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified, 0
	}
	if c.language != nil {
		h["Content-Language"] = c.language
	}
	if c.link != nil {
		h["Link"] = c.link
	}
	h["Content-Type"], h["Content-Length"] = c.contentType, form.length
	if form.encoding != nil {
		h["Content-Encoding"] = form.encoding
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		return http.StatusOK, 0
	}
	sent, _ = w.Write(c.bodyOf(form)) // a client that has left needs no more
	return http.StatusOK, sent
}

// ByLanguage says that the response is a document in a language, and that others get it in another.
func (c *CachedResponse) ByLanguage(language string) *CachedResponse {
	c.language = []string{language}
	c.Plain.vary, c.gzip.vary = varyByLanguage, varyByLanguage
	return c
}

// OnlyCompressed drops the plain body of a large response. It is made again for a client that takes no
// compression.
func (c *CachedResponse) OnlyCompressed() *CachedResponse {
	c.Plain.Body = nil
	return c
}

func (c *CachedResponse) bodyOf(form *representation) []byte {
	if form.Body != nil {
		return form.Body
	}
	var plain bytes.Buffer
	if unzip, err := gzip.NewReader(bytes.NewReader(c.gzip.Body)); err == nil {
		_, _ = plain.ReadFrom(unzip) // from memory: neither can fail
	}
	return plain.Bytes()
}

// Accepts reports whether an Accept-Encoding header allows an encoding.
func Accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		quality := strings.TrimSpace(strings.ReplaceAll(params, " ", ""))
		return strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != "" || quality == ""
	}
	return false
}

// ServeTagged answers with a body, or with Not Modified to a client that has it.
func ServeTagged(w http.ResponseWriter, r *http.Request, tag string, body []byte) {
	h := w.Header()
	h.Set("ETag", tag)
	if known := r.Header.Get("If-None-Match"); known == "*" || strings.Contains(known, tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that has left needs no more
	}
}
