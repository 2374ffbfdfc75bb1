package install

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tradepost/cmd/tradepost/settings"
)

const marketUnit = "tradepost.service"

// unitFolders are the folders that systemd reads units from, the first of which wins. SYSTEMD_UNIT_PATH
// is systemd's own.
func unitFolders() []string {
	if path := os.Getenv("SYSTEMD_UNIT_PATH"); path != "" {
		return slices.DeleteFunc(filepath.SplitList(path), func(folder string) bool { return folder == "" })
	}
	return []string{unitFolder, "/run/systemd/system", "/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system"}
}

// UnitHome returns the folder that the market's unit runs in, and the file that says so. Both are empty
// where there is no unit.
func UnitHome() (home, unit string) {
	for _, folder := range unitFolders() {
		path := filepath.Join(folder, marketUnit)
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		home, unit = workingDirectory(string(text)), path
		// in the order that systemd reads them
		changes, _ := filepath.Glob(filepath.Join(path+".d", "*.conf"))
		for _, change := range changes {
			if text, err := os.ReadFile(change); err == nil {
				home = cmp.Or(workingDirectory(string(text)), home)
			}
		}
		return home, unit
	}
	return "", ""
}

// workingDirectory returns the last WorkingDirectory of a unit's text.
func workingDirectory(text string) (folder string) {
	for line := range strings.Lines(text) {
		if value, found := strings.CutPrefix(strings.TrimSpace(line), "WorkingDirectory="); found {
			folder = strings.TrimPrefix(value, "-")
		}
	}
	return folder
}

// Place says where the settings of a command come from.
type Place struct {
	File  string // .env, empty where there is none
	Unit  string // that runs the market, empty where there is none
	Other string // the file of the unit, where that is another one
}

// FindSettings goes to the folder that the market's unit runs in, unless the present one has settings. It
// fails where this user may not read them.
func FindSettings() (Place, error) {
	here, err := filepath.Abs(settings.EnvFile)
	if err != nil {
		return Place{}, err
	}
	home, unit := UnitHome()
	place := Place{Unit: unit}
	there := filepath.Join(home, settings.EnvFile)
	switch _, err := os.Stat(here); {
	case err == nil:
		place.File = here
		if sameFile(here, there) {
			return place, nil
		}
		if home != "" {
			place.Other = there
		}
		return place, nil
	case home == "":
		return place, nil
	}
	file, err := os.Open(there)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return place, settings.WrongSettings{{Name: there,
			Want: "this user may not read the settings of " + unit + ": sudo -iu " + User +
				" tradepost doctor"}}
	case err == nil:
		place.File = there
		_ = file.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return place, settings.WrongSettings{{Name: there, Want: err.Error()}}
	}
	// Paths in the settings are meant from there.
	if err := os.Chdir(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place, settings.WrongSettings{{Name: home,
			Want: "this user may not enter the market's folder: sudo -iu " + User + " tradepost doctor"}}
	}
	return place, nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
