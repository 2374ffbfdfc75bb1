package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const marketUnit = "tradepost.service"

// unitFolders are the folders that systemd reads units from, the first of which wins. SYSTEMD_UNIT_PATH is systemd's own.
func unitFolders() []string {
	if path := os.Getenv("SYSTEMD_UNIT_PATH"); path != "" {
		return slices.DeleteFunc(filepath.SplitList(path), func(folder string) bool { return folder == "" })
	}
	return []string{unitFolder, "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"}
}

// unitHome returns the folder that the market's unit runs in, and the file that says so. Both are empty where there is no unit.
func unitHome() (home, unit string) {
	for _, folder := range unitFolders() {
		path := filepath.Join(folder, marketUnit)
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		home, unit = workingDirectory(string(text)), path
		changes, _ := filepath.Glob(filepath.Join(path+".d", "*.conf")) // in the order that systemd reads them
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

// settingsPlace says where the settings of a command come from.
type settingsPlace struct {
	file  string // .env, empty where there is none
	unit  string // that runs the market, empty where there is none
	other string // the file of the unit, where that is another one
}

// findSettings goes to the folder that the market's unit runs in, unless the present one has settings. It fails where this user
// may not read them.
func findSettings() (settingsPlace, error) {
	here, err := filepath.Abs(envFile)
	if err != nil {
		return settingsPlace{}, err
	}
	home, unit := unitHome()
	place := settingsPlace{unit: unit}
	there := filepath.Join(home, envFile)
	switch _, err := os.Stat(here); {
	case err == nil:
		place.file = here
		if sameFile(here, there) {
			return place, nil
		}
		if home != "" {
			place.other = there
		}
		return place, nil
	case home == "":
		return place, nil
	}
	file, err := os.Open(there)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return place, wrongSettings{{there, "this user may not read the settings of " + unit + ": sudo -iu " + installedUser + " tradepost doctor"}}
	case err == nil:
		place.file = there
		_ = file.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return place, wrongSettings{{there, err.Error()}}
	}
	// Paths in the settings are meant from there.
	if err := os.Chdir(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place, wrongSettings{{home, "this user may not enter the market's folder: sudo -iu " + installedUser + " tradepost doctor"}}
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

// sayPlace returns where the doctor looked, as an examination does.
func sayPlace(p settingsPlace) error {
	switch {
	case p.other != "":
		return caution(p.file + " was read, and the market reads " + p.other + " (" + p.unit + "): sudo -iu " + installedUser + " tradepost doctor looks there")
	case p.file != "" && p.unit != "":
		return found(p.file + ", which the market reads, too (" + p.unit + ")")
	case p.file != "":
		return found(p.file)
	case p.unit != "":
		return errors.New(p.unit + " reads no .env, as there is none in its folder: sudo -iu " + installedUser + " tradepost setup writes it")
	}
	return notNeeded("there is no .env in this folder and no unit of systemd; only variables of the environment were read")
}
