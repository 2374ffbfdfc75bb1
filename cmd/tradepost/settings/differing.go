package settings

import (
	"cmp"
	"fmt"
	"log/slog"
	"reflect"
	"slices"

	"github.com/alecthomas/kong"
)

// Differing lists the settings that differ from their defaults, for the log. A setting with the tag secret is
// named without its value.
func Differing(flags []*kong.Flag) (settings []any) {
	for _, flag := range flags {
		if len(flag.Envs) == 0 || isDefault(flag) {
			continue
		}
		value := fmt.Sprint(flag.Target.Interface())
		if flag.Tag.Has("secret") {
			value = "(secret)"
		}
		settings = append(settings, slog.String(flag.Envs[0], value))
	}
	slices.SortFunc(settings, func(a, b any) int {
		return cmp.Compare(a.(slog.Attr).Key, b.(slog.Attr).Key)
	})
	return settings
}

// isDefault reports whether a flag has the value that it has when it is left out.
func isDefault(flag *kong.Flag) bool {
	standard := reflect.New(flag.Target.Type()).Elem()
	if flag.Default != "" {
		value := *flag.Value
		scan := kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: flag.Default})
		if flag.Mapper.Decode(&kong.DecodeContext{Value: &value, Scan: scan}, standard) != nil {
			return false
		}
	}
	return reflect.DeepEqual(standard.Interface(), flag.Target.Interface()) ||
		flag.Target.Kind() == reflect.Slice && flag.Target.Len() == 0
}
