package doctor

import (
	"errors"
	"fmt"
	"strings"

	"tradepost/cmd/tradepost/install"
	"tradepost/cmd/tradepost/settings"
)

// sayPlace returns where the doctor looked, as an examination does.
func sayPlace(p install.Place) error {
	switch {
	case p.Other != "":
		return caution(p.File + " was read, and the market reads " + p.Other + " (" + p.Unit +
			"): sudo -iu " + install.User + " tradepost doctor looks there")
	case p.File != "" && p.Unit != "":
		return found(p.File + ", which the market reads, too (" + p.Unit + ")")
	case p.File != "":
		return found(p.File)
	case p.Unit != "":
		return errors.New(p.Unit + " reads no .env, as there is none in its folder: sudo -iu " +
			install.User + " tradepost setup writes it")
	}
	return notNeeded("there is no .env in this folder and no unit of systemd; " +
		"only variables of the environment were read")
}

// namesAreKnown returns an error for each name in .env that is nearly a setting's, and a caution for others.
func namesAreKnown(unknown []settings.UnknownSetting) error {
	var wrong, other []string
	for _, u := range unknown {
		if u.Meant != "" {
			wrong = append(wrong, fmt.Sprintf("%s is no setting, so it does nothing: %s is meant. "+
				"Rename it in .env", u.Name, u.Meant))
		} else {
			other = append(other, u.Name)
		}
	}
	if len(other) > 0 {
		other = []string{fmt.Sprintf("no setting is called %s: docs/configuration.md lists them all",
			strings.Join(other, ", "))}
	}
	switch {
	case len(wrong) > 0:
		return fmt.Errorf("%s", strings.Join(append(wrong, other...), "\n"))
	case len(other) > 0:
		return caution(other[0])
	}
	return nil
}
