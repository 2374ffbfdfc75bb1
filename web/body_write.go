package web

import (
	"bytes"
	"io"
	"strconv"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// bufferedBody is a response body that is encoded before its first byte is sent, so that the response has a Content-Length
// and goes out in one write. A chunked response ends with an empty chunk, which wakes the client once more.
type bufferedBody struct{ bytes.Buffer }

// bufferBody encodes the body. What cannot be encoded is left to writeBody, which fails in the same way.
func bufferBody(ctx huma.Context, _ string, body any) (any, error) {
	f := buffers.Get().(*bufferedBody)
	f.Reset()
	if err := huma.DefaultJSONFormat.Marshal(f, body); err != nil {
		buffers.Put(f)
		return body, nil
	}
	ctx.SetHeader("Content-Length", strconv.Itoa(f.Len()))
	return f, nil
}

// writeBody sends a response body.
func writeBody(w io.Writer, body any) error {
	f, ok := body.(*bufferedBody)
	if !ok {
		return huma.DefaultJSONFormat.Marshal(w, body)
	}
	_, err := f.WriteTo(w)
	if f.Cap() <= maxPooledBuffer {
		buffers.Put(f)
	}
	return err
}

// maxPooledBuffer keeps the buffer of a large account export from being reused.
const maxPooledBuffer = 256 << 10

// buffers are reused: a page has about 30 kB.
var buffers = sync.Pool{New: func() any { return new(bufferedBody) }}
