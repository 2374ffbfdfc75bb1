package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"tradepost/sql/schema"
)

// A backup is a tar archive, compressed with gzip, which can be read without this program:
//
//	market.json             the schema version, the tables with their columns, the values of their sequences
//	orders.00001.copy, ...  the rows of each table as COPY writes them, cut into pieces
//	sums.json               what the rows of each table add up to
//
// The sums come last, so a file that was cut off has none.
const (
	contentsName = "market.json"
	sumsName     = "sums.json"

	archiveFormat = 1
	pieceSize     = 1 << 20
	pageLimit     = 16 << 20 // for the two pages of JSON
)

// contents is the content of market.json.
type contents struct {
	Format int             `json:"format"`
	Made   time.Time       `json:"made"`
	Schema schema.Versions `json:"schema"`
	Tables []tableShape    `json:"tables"` // a table comes after the tables that it refers to
}

type tableShape struct {
	Name    string           `json:"name"`
	Columns []string         `json:"columns"`
	Numbers map[string]int64 `json:"numbers,omitempty"` // the last number of each of its sequences
}

// sum is a table's entry in sums.json.
type sum struct {
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ErrNotABackup is in the error of a restore from something else.
var ErrNotABackup = errors.New("this is no backup of a market")

// ErrDamaged is in the error of a restore from a backup that was cut off or changed.
var ErrDamaged = errors.New("the backup is damaged or cut off")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
}

type archiveWriter struct {
	zip  *gzip.Writer
	tar  *tar.Writer
	made time.Time
	sums map[string]sum
}

func newArchive(w io.Writer, c contents) (*archiveWriter, error) {
	zip := gzip.NewWriter(w)
	a := &archiveWriter{zip: zip, tar: tar.NewWriter(zip), made: c.Made, sums: map[string]sum{}}
	return a, a.page(contentsName, c)
}

func (a *archiveWriter) page(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return a.file(name, append(text, '\n'))
}

func (a *archiveWriter) file(name string, content []byte) error {
	err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: a.made,
		Format: tar.FormatPAX})
	if err == nil {
		_, err = a.tar.Write(content)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// table writes the rows of a table, which copyTo hands over and counts.
func (a *archiveWriter) table(name string, copyTo func(io.Writer) (rows int64, err error)) error {
	w := &tableWriter{archive: a, name: name, sum: sha256.New()}
	rows, err := copyTo(w)
	if err == nil {
		err = w.cut()
	}
	if err != nil {
		return err
	}
	a.sums[name] = sum{Rows: rows, Bytes: w.bytes, SHA256: hex.EncodeToString(w.sum.Sum(nil))}
	return nil
}

func (a *archiveWriter) close() error {
	if err := a.page(sumsName, a.sums); err != nil {
		return err
	}
	if err := errors.Join(a.tar.Close(), a.zip.Close()); err != nil {
		return fmt.Errorf("finish the backup: %w", err)
	}
	return nil
}

type tableWriter struct {
	archive *archiveWriter
	name    string
	piece   bytes.Buffer
	pieces  int
	sum     hash.Hash
	bytes   int64
}

func (w *tableWriter) Write(p []byte) (int, error) {
	w.sum.Write(p)
	w.bytes += int64(len(p))
	w.piece.Write(p)
	if w.piece.Len() < pieceSize {
		return len(p), nil
	}
	return len(p), w.cut()
}

// cut writes what has come together as a piece.
func (w *tableWriter) cut() error {
	if w.piece.Len() == 0 {
		return nil
	}
	w.pieces++
	err := w.archive.file(fmt.Sprintf("%s.%05d.copy", w.name, w.pieces), w.piece.Bytes())
	w.piece.Reset()
	return err
}

type archiveReader struct {
	contents

	zip  *gzip.Reader
	tar  *tar.Reader
	next *tar.Header // the file that is to be read; nil at the end
	sums map[string]sum
}

// openArchive reads the first page.
func openArchive(r io.Reader) (*archiveReader, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotABackup, err)
	}
	a := &archiveReader{zip: zip, tar: tar.NewReader(zip), sums: map[string]sum{}}
	if a.next, err = a.tar.Next(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotABackup, err)
	}
	if a.next.Name != contentsName {
		return nil, fmt.Errorf("%w: it begins with %q, not with %s", ErrNotABackup, a.next.Name, contentsName)
	}
	if err := a.page(&a.contents); err != nil {
		return nil, err
	}
	if a.Format != archiveFormat {
		return nil, fmt.Errorf("the backup is of format %d, and this version knows format %d only: "+
			"use a newer one", a.Format, archiveFormat)
	}
	return a, a.advance()
}

func (a *archiveReader) page(value any) error {
	text, err := io.ReadAll(io.LimitReader(a.tar, pageLimit))
	if err == nil {
		err = json.Unmarshal(text, value)
	}
	if err != nil {
		return damaged("read %s: %w", a.next.Name, err)
	}
	return nil
}

func (a *archiveReader) advance() error {
	next, err := a.tar.Next()
	if err != nil {
		return damaged("it ends too soon: %w", err)
	}
	a.next = next
	return nil
}

// table returns the rows of a table. They must be read to their end before the next table's.
func (a *archiveReader) table(name string) *tableReader {
	return &tableReader{archive: a, name: name, sum: sha256.New()}
}

// close reads to the end, and returns ErrDamaged when a sum differs.
func (a *archiveReader) close() error {
	if a.next.Name != sumsName {
		return damaged("%s is in the place of %s", a.next.Name, sumsName)
	}
	var want map[string]sum
	if err := a.page(&want); err != nil {
		return err
	}
	for _, t := range a.Tables {
		if got := a.sums[t.Name]; got != want[t.Name] {
			return damaged("%s holds %d rows and %d bytes, not the %d and %d that it was made with",
				t.Name, got.Rows, got.Bytes, want[t.Name].Rows, want[t.Name].Bytes)
		}
	}
	switch _, err := a.tar.Next(); {
	case err == nil:
		return damaged("unexpected data after %s", sumsName)
	case !errors.Is(err, io.EOF):
		return damaged("read what follows %s: %w", sumsName, err)
	}
	// The checksum of the whole is at the very end.
	if _, err := io.Copy(io.Discard, a.zip); err != nil {
		return damaged("%w", err)
	}
	return nil
}

type tableReader struct {
	archive *archiveReader
	name    string
	sum     hash.Hash
	bytes   int64
	broken  error // the archive's fault, where reading failed
}

func (r *tableReader) Read(p []byte) (int, error) {
	for strings.HasPrefix(r.archive.next.Name, r.name+".") {
		n, err := r.archive.tar.Read(p)
		r.sum.Write(p[:n])
		r.bytes += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			err = r.archive.advance()
		case err != nil:
			err = damaged("%w", err)
		}
		if err != nil {
			r.broken = err
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, io.EOF
}

// done notes what was read, and how many rows it made.
func (r *tableReader) done(rows int64) {
	r.archive.sums[r.name] = sum{Rows: rows, Bytes: r.bytes, SHA256: hex.EncodeToString(r.sum.Sum(nil))}
}
