package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"tradepost/web/kernel"
)

// asset is a file of the built dashboard, plain and, where the build made them, compressed.
type asset struct {
	kind        string // its media type
	tag         string // its entity tag
	plain       []byte
	gzip        []byte
	brotli      []byte
	keepForever bool // its name changes with its content

	drawing func() ([]byte, error) // in place of plain, where it is drawn for the first client
}

func newAsset(kind string, data []byte) *asset {
	sum := sha256.Sum256(data)
	return &asset{kind: kind, plain: data, tag: hex.EncodeToString(sum[:8])}
}

// readAssets reads every file of the dashboard but the index, by address.
func readAssets(dist fs.FS) (map[string]*asset, error) {
	assets := map[string]*asset{}
	if dist == nil {
		return assets, nil
	}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") || name == "index.html" {
			return err
		}
		if ext := path.Ext(name); ext == ".gz" || ext == ".br" {
			return nil // found with the uncompressed file
		}
		a, err := readAsset(dist, name)
		assets["/"+name] = a
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return assets, nil // it was never built
	}
	return assets, err
}

func readAsset(dist fs.FS, name string) (*asset, error) {
	data, err := fs.ReadFile(dist, name)
	if err != nil {
		return nil, fmt.Errorf("read asset: %w", err)
	}
	a := newAsset(mediaType(name), data)
	a.keepForever = strings.HasPrefix(name, "assets/")
	for ext, into := range map[string]*[]byte{".gz": &a.gzip, ".br": &a.brotli} {
		switch *into, err = fs.ReadFile(dist, name+ext); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("read asset: %w", err)
		}
	}
	return a, nil
}

// mediaTypes maps file extensions to media types that hosts without a list of their own do not know.
var mediaTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".woff2": "font/woff2",
	".json":  "application/json", ".webmanifest": "application/manifest+json",
	".txt": "text/plain; charset=utf-8", ".map": "application/json",
	".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp", ".avif": "image/avif",
}

func mediaType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if kind := mediaTypes[ext]; kind != "" {
		return kind
	}
	if kind := mime.TypeByExtension(ext); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	body, suffix := a.plain, ""
	if a.drawing != nil {
		var err error
		if body, err = a.drawing(); err != nil {
			kernel.NoteFailure(r.Context(), err)
			kernel.NewProblem(http.StatusInternalServerError, kernel.MsgOurFault).Write(w, r)
			return
		}
	}
	if a.gzip != nil || a.brotli != nil {
		h.Add("Vary", "Accept-Encoding")
		switch accepted := r.Header.Get("Accept-Encoding"); {
		case a.brotli != nil && kernel.Accepts(accepted, "br"):
			body, suffix = a.brotli, "-br"
			h.Set("Content-Encoding", "br")
		case a.gzip != nil && kernel.Accepts(accepted, "gzip"):
			body, suffix = a.gzip, "-gz"
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-cache")
	if a.keepForever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	kernel.ServeTagged(w, r, `"`+a.tag+suffix+`"`, body)
}
