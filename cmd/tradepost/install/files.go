package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// installedFile is a file that install writes.
type installedFile struct {
	path    string
	content []byte
}

// write makes the file. One that differs is kept beside it.
func (m machine) write(f installedFile) (change, error) {
	path := m.at(f.path)
	before, err := os.ReadFile(path)
	c := change{what: "write " + f.path}
	put := func(path string, content []byte) error {
		// Others read it, as everything there.
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), ReplaceFile(path, string(content), 0o644),
			os.Chmod(path, 0o644))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.do = func(context.Context) error { return put(path, f.content) }
	case err != nil:
		return change{}, err
	case !bytes.Equal(before, f.content):
		c.what = fmt.Sprintf("replace %s, and keep the old one as %s.before", f.path, filepath.Base(f.path))
		c.lost = difference(string(before), string(f.content))
		c.do = func(context.Context) error {
			return errors.Join(put(path+".before", before),
				put(path, f.content))
		}
	}
	return c, nil
}

// putAway removes a file that install has written and that hides the package's. One that differs from what
// install writes is kept beside its place.
func (m machine) putAway(f installedFile) ([]change, error) {
	path := m.at(f.path)
	before, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if bytes.Equal(before, f.content) {
		return []change{{what: "remove " + f.path + ", which hides the package's unit",
			do: func(context.Context) error { return os.Remove(path) }}}, nil
	}
	return []change{{
		what: fmt.Sprintf("move %s, which hides the package's unit, to %s.before", f.path,
			filepath.Base(f.path)),
		lost: difference(string(before), string(f.content)),
		do:   func(context.Context) error { return os.Rename(path, path+".before") },
	}}, nil
}

// difference lists the lines that only one of two texts has.
func difference(before, after string) string {
	var lines strings.Builder
	only := func(mark, text, other string) {
		has := map[string]bool{}
		for line := range strings.Lines(other) {
			has[strings.TrimRight(line, "\n")] = true
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); !has[line] {
				fmt.Fprintf(&lines, "    %s %s\n", mark, line)
			}
		}
	}
	only("-", before, after)
	only("+", after, before)
	return lines.String()
}

// account returns the numbers of the market's user and its group, and fs.ErrNotExist when there is none.
// The machine's file is read, as it may be another machine's.
func (m machine) account() (uid, gid int, err error) {
	users, err := os.ReadFile(m.at("/etc/passwd"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(users)) {
		fields := strings.Split(line, ":")
		if len(fields) < 4 || fields[0] != User {
			continue
		}
		uid, uidErr := strconv.Atoi(fields[2])
		gid, gidErr := strconv.Atoi(fields[3])
		return uid, gid, errors.Join(uidErr, gidErr)
	}
	return 0, 0, fmt.Errorf("the user %s: %w", User, fs.ErrNotExist)
}

// sameContent reports whether two files have the same content. The second need not be there.
func sameContent(a, b string) (bool, error) {
	first, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	second, err := os.Stat(b)
	if errors.Is(err, fs.ErrNotExist) || err == nil && first.Size() != second.Size() {
		return false, nil
	}
	if err != nil || os.SameFile(first, second) {
		return err == nil, err
	}
	left, leftErr := os.ReadFile(a)
	right, rightErr := os.ReadFile(b)
	return bytes.Equal(left, right), errors.Join(leftErr, rightErr)
}

// copyProgram puts the program in place at once: a running program keeps its file.
func copyProgram(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".tradepost.*")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// ReplaceFile replaces a file as a whole.
func ReplaceFile(path, text string, mode fs.FileMode) error {
	part := path + ".part"
	if err := os.WriteFile(part, []byte(text), mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
