package bot

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// press is what a button, select or form carries in its custom_id: what to do, and with what. It outlives the process
// that made it, so its words and their order never change their meaning under one version.
type press struct {
	action string
	args   []string
}

const (
	pressVersion  = "1"
	pressSplit    = "|"
	maxCustomID   = 100 // characters, by Discord's rule
	maxPressParts = 16
)

// on makes a press. Arguments are words or whole numbers.
func on(action string, args ...any) press {
	p := press{action: action}
	for _, a := range args {
		p.args = append(p.args, strings.ReplaceAll(fmt.Sprint(a), pressSplit, " "))
	}
	return p
}

// String is the custom_id.
func (p press) String() string {
	return strings.Join(append([]string{pressVersion, p.action}, p.args...), pressSplit)
}

// parsePress reads a custom_id. It tells false for one that this version of the program never made.
func parsePress(customID string) (press, bool) {
	if utf8.RuneCountInString(customID) > maxCustomID || !utf8.ValidString(customID) {
		return press{}, false
	}
	parts := strings.Split(customID, pressSplit)
	if len(parts) < 2 || len(parts) > maxPressParts || parts[0] != pressVersion || parts[1] == "" {
		return press{}, false
	}
	return press{action: parts[1], args: parts[2:]}, true
}

// word is the n-th argument, empty when there is none.
func (p press) word(n int) string {
	if n >= len(p.args) {
		return ""
	}
	return p.args[n]
}

// number is the n-th argument as a number that is not negative, 0 for anything else.
func (p press) number(n int) int64 {
	v, err := strconv.ParseInt(p.word(n), 10, 64)
	if err != nil || v < 0 {
		return 0
	}
	return v
}
