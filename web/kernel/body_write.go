package kernel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// writeJSON encodes a body and sends it. It returns an error, and has sent nothing, for a body that can't
// be encoded. The body is encoded before its first byte is sent, so that the response has a Content-Length
// and goes out in one write: a chunked response ends with an empty chunk, which wakes the client once more.
func writeJSON(w http.ResponseWriter, status int, body any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= maxPooledBuffer {
			buffers.Put(b)
		}
	}()
	b.Reset()
	if err := huma.DefaultJSONFormat.Marshal(b, body); err != nil {
		return fmt.Errorf("encode a response: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if status != http.StatusNotModified {
		_, _ = w.Write(b.Bytes()) // the status is out; a reader who has left needs no more
	}
	return nil
}

// writeTagged encodes a body and sends it with a tag of its content, or Not Modified to a client that has it.
// The tag is weak, as the response may be compressed on its way out.
func writeTagged(w http.ResponseWriter, r *http.Request, body any) error {
	var b bytes.Buffer
	if err := huma.DefaultJSONFormat.Marshal(&b, body); err != nil {
		return fmt.Errorf("encode a response: %w", err)
	}
	sum := sha256.Sum256(b.Bytes())
	h := w.Header()
	h["Cache-Control"], h["Content-Type"] = revalidate, ContentTypeJSON
	if tag := `W/"` + hex.EncodeToString(sum[:8]) + `"`; !hasTag(r, tag) {
		h.Set("Content-Length", strconv.Itoa(b.Len()))
		ServeTagged(w, r, tag, b.Bytes())
	} else {
		h.Del("Content-Type")
		h.Set("ETag", tag)
		w.WriteHeader(http.StatusNotModified)
	}
	return nil
}

// hasTag reports whether a client has the response of a weak tag.
func hasTag(r *http.Request, tag string) bool {
	known := r.Header.Get("If-None-Match")
	return known == "*" || strings.Contains(known, strings.TrimPrefix(tag, "W/"))
}

// maxPooledBuffer keeps the buffer of a large account export from being reused.
const maxPooledBuffer = 256 << 10

// buffers are reused: a page has about 30 kB.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
