package kernel

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
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

// maxPooledBuffer keeps the buffer of a large account export from being reused.
const maxPooledBuffer = 256 << 10

// buffers are reused: a page has about 30 kB.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
