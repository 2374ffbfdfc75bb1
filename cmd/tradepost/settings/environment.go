package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"
)

// WrongSetting is a setting that the program cannot run with.
type WrongSetting struct {
	Name string // of the variable, or of the flag where there is none
	Want string // what is wrong and what is wanted
}

// WrongSettings are reported together, each on a line of its own.
type WrongSettings []WrongSetting

// Add appends a setting by its name, with a text about what is wanted.
func (w *WrongSettings) Add(name, want string, args ...any) {
	*w = append(*w, WrongSetting{name, fmt.Sprintf(want, args...)})
}

func (w WrongSettings) Error() string {
	lines := make([]string, len(w))
	for i, s := range w {
		lines[i] = s.Name + ": " + OneLine(s.Want)
	}
	return strings.Join(lines, "\n")
}

// ExitSettings is the exit status when a setting is wrong, after which starting again does not help;
// Kong's own status for a wrong command line.
const ExitSettings = 80

// ExitCode is the status that the program ends with.
func (WrongSettings) ExitCode() int { return ExitSettings }

// OneLine returns a text without line breaks and tabs.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// ReadEnvFile sets the variables of a file that are not set. It need not be there.
func ReadEnvFile(path string) error {
	if err := godotenv.Load(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return WrongSettings{{path, fmt.Sprintf("it cannot be read as lines of NAME=value (%s)", err)}}
	}
	return nil
}

// renamed maps the names that variables had in the release before to those they have now.
var renamed = map[string]string{"FAREWELL": "SHUTDOWN_DELAY"}

// ReadRenamed sets each renamed variable that is not set from its old name, and returns a warning for each.
func ReadRenamed() (warnings []string) {
	for old, name := range renamed {
		for _, suffix := range []string{"", "_FILE"} {
			value, set := os.LookupEnv(old + suffix)
			if !set || os.Getenv(name) != "" || os.Getenv(name+"_FILE") != "" {
				continue
			}
			if os.Setenv(name+suffix, value) == nil {
				warnings = append(warnings,
					fmt.Sprintf("%s is now called %s; the next release no longer reads the old name",
						old+suffix, name+suffix))
			}
		}
	}
	slices.Sort(warnings)
	return warnings
}

// ReadVariables sets each variable that is not set from the file that NAME_FILE points to, so that
// a secret need appear neither on the command line nor in the environment. Kong stops at the first
// value that it cannot read: such values, and empty ones, are unset here, and returned together.
func ReadVariables(model *kong.Application) (wrong WrongSettings) {
	read := map[string]bool{}
	for _, node := range append([]*kong.Node{model.Node}, CommandsOf(model)...) {
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				if !read[name] {
					read[name] = true
					wrong = append(wrong, readVariable(name, flag)...)
				}
			}
		}
	}
	return wrong
}

// CommandsOf returns the commands and, after each, those within it.
func CommandsOf(model *kong.Application) (all []*kong.Node) {
	for _, command := range model.Children {
		all = append(append(all, command), command.Children...)
	}
	return all
}

func readVariable(name string, flag *kong.Flag) (wrong WrongSettings) {
	if path := os.Getenv(name + "_FILE"); path != "" && os.Getenv(name) == "" {
		value, err := os.ReadFile(path)
		if err != nil {
			wrong.Add(name, "%s_FILE names a file that cannot be read (%s)", name, err)
			return wrong
		}
		if err := os.Setenv(name, strings.TrimSpace(string(value))); err != nil {
			wrong.Add(name, "%s_FILE: %s", name, err)
		}
	}
	text, set := os.LookupEnv(name)
	if !set || flag.Target.Kind() == reflect.String && flag.Tag.Type == "" && flag.Enum == "" {
		return wrong
	}
	if text != "" {
		problem := unreadable(flag, text)
		if problem == "" {
			return wrong
		}
		wrong.Add(name, "%s", problem)
	}
	if err := os.Unsetenv(name); err != nil {
		wrong.Add(name, "%s", err)
	}
	return wrong
}

// unreadable explains why a text is an invalid value of a flag; it is empty for a valid one.
func unreadable(flag *kong.Flag, text string) string {
	target := reflect.New(flag.Target.Type()).Elem()
	scan := kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: text})
	value := *flag.Value
	value.Active = true // a file is looked for only then
	err := flag.Mapper.Decode(&kong.DecodeContext{Value: &value, Scan: scan}, target)
	switch {
	case err == nil && (flag.Enum == "" || slices.Contains(flag.EnumSlice(), text)):
		return ""
	case flag.Enum != "":
		return fmt.Sprintf("%q is unknown: want one of %s", text, strings.Join(flag.EnumSlice(), ", "))
	case flag.Tag.Type != "":
		return err.Error()
	}
	switch target.Interface().(type) {
	case slog.Level:
		return fmt.Sprintf("%q is unknown: want debug, info, warn or error", text)
	case time.Duration:
		return fmt.Sprintf("%q is no duration: want a number with a unit, such as 500ms or 24h", text)
	case int, uint:
		return fmt.Sprintf("%q is no number: want a whole number of %d or more", text, least(flag))
	}
	return err.Error()
}

// least is the smallest value of a number or duration: the tag min, 0 where there is none.
func least(flag *kong.Flag) int64 {
	n, _ := strconv.ParseInt(flag.Tag.Get("min"), 10, 64)
	return n
}

// wrongNumbers lists the numbers and durations among the flags that are too small. A hidden duration,
// which is for tests, may be negative.
func wrongNumbers(flags []*kong.Flag) (wrong WrongSettings) {
	for _, flag := range flags {
		name := "--" + flag.Name
		if len(flag.Envs) > 0 {
			name = flag.Envs[0]
		}
		switch v := flag.Target.Interface().(type) {
		case int:
			if int64(v) < least(flag) {
				wrong.Add(name, "%d is too small: want a whole number of %d or more", v, least(flag))
			}
		case time.Duration:
			if v < 0 && !flag.Hidden {
				wrong.Add(name, "%s is too short: want 0 or more", v)
			}
		}
	}
	return wrong
}

// checked is a command that reports the errors in its settings.
type checked interface{ Wrong() WrongSettings }

// WrongIn lists the errors in the settings of the command that was asked for: errors found while the
// variables were read (unless a flag takes the place of the variable), numbers that are too small, and errors
// that the command itself finds. A setting is named once.
func WrongIn(parsed *kong.Context, found WrongSettings) (wrong WrongSettings) {
	command := parsed.Selected()
	flags := slices.Concat(command.Flags, command.Parent.Flags)
	given := func(f *kong.Flag) bool {
		return slices.ContainsFunc(parsed.Path, func(p *kong.Path) bool { return p.Flag == f })
	}
	for _, s := range found {
		if slices.ContainsFunc(flags, func(f *kong.Flag) bool {
			return slices.Contains(f.Envs, s.Name) &&
				!given(f)
		}) {
			wrong = append(wrong, s)
		}
	}
	wrong = append(wrong, wrongNumbers(flags)...)
	if c, ok := command.Target.Addr().Interface().(checked); ok {
		wrong = append(wrong, c.Wrong()...)
	}
	named := map[string]bool{}
	return slices.DeleteFunc(wrong, func(s WrongSetting) bool {
		before := named[s.Name]
		named[s.Name] = true
		return before
	})
}
