// Command release packs a folder into an archive that has the same bytes wherever and whenever it is made:
//
//	SOURCE_DATE_EPOCH=1795879898 release OUT.tar.gz FOLDER
//	SOURCE_DATE_EPOCH=1795879898 release OUT.zip FOLDER
//
// The archive has one folder, of FOLDER's name. Its files are in the order of their names, with the
// time of SOURCE_DATE_EPOCH; who may run a file may be anybody, and everybody reads it. A page of it that
// links to a file which is not in it is an error. The module also has the versions of the tools that make
// the package and the lists of what the program is built from.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: release OUT.tar.gz|OUT.zip FOLDER")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// archive is what files are put into.
type archive interface {
	// Add makes room for a file or folder, and returns where its content goes; nil for a folder.
	Add(name string, mode fs.FileMode, size int64) (io.Writer, error)
	Close() error
}

// pack writes the archive of a folder.
func pack(path, folder, epoch string) (err error) {
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q: want the seconds since 1970 of the archive's time", epoch)
	}
	dead, err := deadLinks(folder)
	if err != nil {
		return err
	}
	if len(dead) > 0 {
		return fmt.Errorf("these links lead nowhere in the archive: %s", strings.Join(dead, ", "))
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out, err := newArchive(file, path, time.Unix(seconds, 0).UTC())
	if err != nil {
		return err
	}
	// In the order of names.
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(filepath.Dir(filepath.Clean(folder)), path)
		if err != nil {
			return err
		}
		return add(out, filepath.ToSlash(below), path, entry)
	})
	return errors.Join(err, out.Close())
}

// add adds a file or folder.
func add(out archive, name, path string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	switch {
	case entry.IsDir():
		_, err := out.Add(name+"/", fs.ModeDir|0o755, 0)
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a folder", path)
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	to, err := out.Add(name, mode, info.Size())
	if err != nil {
		return err
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(to, from)
	return err
}

// newArchive begins an archive of the kind that the name of its file has.
func newArchive(file io.Writer, name string, at time.Time) (archive, error) {
	if strings.HasSuffix(name, ".zip") {
		out := zip.NewWriter(file)
		out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(w, flate.BestCompression)
		})
		return zipArchive{out, at}, nil
	}
	compressed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	return tarArchive{tar.NewWriter(compressed), compressed, at}, nil
}

type tarArchive struct {
	*tar.Writer
	compressed *gzip.Writer
	at         time.Time
}

func (a tarArchive) Add(name string, mode fs.FileMode, size int64) (io.Writer, error) {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode.Perm()), Size: size,
		ModTime: a.at, Format: tar.FormatPAX}
	if mode.IsDir() {
		header.Typeflag = tar.TypeDir
	}
	return a.Writer, a.WriteHeader(header)
}

func (a tarArchive) Close() error { return errors.Join(a.Writer.Close(), a.compressed.Close()) }

type zipArchive struct {
	*zip.Writer
	at time.Time
}

func (a zipArchive) Add(name string, mode fs.FileMode, _ int64) (io.Writer, error) {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at}
	if header.SetMode(mode); mode.IsDir() {
		header.Method = zip.Store
	}
	return a.CreateHeader(header)
}
