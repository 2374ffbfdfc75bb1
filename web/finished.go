package web

import (
	"bytes"
	"io"
	"strconv"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// finished is the body of an answer, written out before its first byte is sent: so its length is told, and it travels in
// one piece. Without a length it would be sent in chunks, of which the last, empty one wakes the reader once more.
type finished struct{ bytes.Buffer }

// finish writes out the body. What cannot be written is left to writeBody, which fails in the same way.
func finish(ctx huma.Context, _ string, body any) (any, error) {
	f := buffers.Get().(*finished)
	f.Reset()
	if self, ok := body.(written); ok {
		f.Grow(pageBytes)
		f.Write(self.appendJSON(f.AvailableBuffer()))
	} else if err := huma.DefaultJSONFormat.Marshal(f, body); err != nil {
		buffers.Put(f)
		return body, nil
	}
	ctx.SetHeader("Content-Length", strconv.Itoa(f.Len()))
	return f, nil
}

// writeBody sends the body of an answer.
func writeBody(w io.Writer, body any) error {
	f, ok := body.(*finished)
	if !ok {
		return huma.DefaultJSONFormat.Marshal(w, body)
	}
	_, err := f.WriteTo(w)
	if f.Cap() <= mostKept {
		buffers.Put(f)
	}
	return err
}

const (
	pageBytes = 48 << 10  // room enough for nearly every page of 60 requests
	mostKept  = 256 << 10 // what somebody's whole data took is given back
)

// buffers are used again and again: a page is some 30 kB.
var buffers = sync.Pool{New: func() any { return new(finished) }}
