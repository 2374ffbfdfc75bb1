//go:build unix

package pgembed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// restoreLinks makes the links between libraries that an npm package cannot carry. The package has a script
// for it, but install scripts are switched off in this project. Folders of other kinds have no list of
// links and are left alone.
func restoreLinks(pkg string) error {
	raw, err := os.ReadFile(filepath.Join(pkg, "native", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string } // both relative to the package
	if err := json.Unmarshal(raw, &links); err != nil {
		return fmt.Errorf("read pg-symlinks.json: %w", err)
	}
	for _, link := range links {
		if !filepath.IsLocal(link.Source) || !filepath.IsLocal(link.Target) {
			return fmt.Errorf("pg-symlinks.json leaves its package: %q", link.Target)
		}
		target := filepath.Join(pkg, link.Target)
		source, err := filepath.Rel(filepath.Dir(target), filepath.Join(pkg, link.Source))
		if err != nil {
			return err
		}
		if err := os.Symlink(source, target); err != nil && !errors.Is(err, fs.ErrExist) {
			if _, missing := os.Lstat(target); missing != nil {
				return fmt.Errorf("link a library: %w", err)
			}
		}
	}
	return nil
}
