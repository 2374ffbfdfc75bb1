package settings

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"
)

// foreignSettings may stand in .env beside the market's: settings of compose.yaml and of the programs that
// read the same file, and the stand-in for Discord, of which a check of its own warns.
var foreignSettings = []string{"TRADEPOST_IMAGE", "TRADEPOST_VERSION", "GOMEMLIMIT", "GOMAXPROCS", "GOGC",
	"GODEBUG", "TZ", "PATH", "HOME", "DISCORD_API_URL"}

// foreignPrefixes begin the names of further ones.
var foreignPrefixes = []string{"COMPOSE_", "DOCKER_", "POSTGRES_", "PG", "AWS_", "HTTP_", "HTTPS_", "NO_",
	"SSL_CERT_"}

// UnknownSetting is a name in .env that no command reads.
type UnknownSetting struct {
	Name  string
	Meant string // the setting with a name that is nearly the same, empty for none
}

// UnknownSettings returns the names in a file that no command reads, in order. A file that cannot be read
// has none: it is reported elsewhere.
func UnknownSettings(path string, model *kong.Application) (unknown []UnknownSetting) {
	set, err := godotenv.Read(path)
	if err != nil {
		return nil
	}
	settings := ByVariable(model)
	names := make([]string, 0, len(settings))
	for name := range settings {
		names = append(names, name)
	}
	slices.Sort(names)
	for name := range set {
		plain := strings.TrimSuffix(name, "_FILE")
		if settings[plain] != nil || renamed[plain] != "" || slices.Contains(foreignSettings, name) ||
			slices.ContainsFunc(foreignPrefixes,
				func(prefix string) bool {
					return strings.HasPrefix(name, prefix) &&
						settings[name] == nil
				}) {
			continue
		}
		u := UnknownSetting{Name: name, Meant: nearest(strings.ToUpper(plain), names)}
		if u.Meant != "" {
			u.Meant += name[len(plain):]
		}
		unknown = append(unknown, u)
	}
	slices.SortFunc(unknown, func(a, b UnknownSetting) int { return strings.Compare(a.Name, b.Name) })
	return unknown
}

// nearest returns the name that a word differs from least, empty when each differs in more than a quarter
// of its letters. Of a name with several words, one may be left out or added.
func nearest(word string, names []string) (name string) {
	least := max(1, len(word)/4) + 1
	for _, n := range names {
		if d := editDistance(word, n); d < least {
			name, least = n, d
		}
	}
	if name == "" && len(word) >= 4 {
		for _, n := range names {
			if strings.HasPrefix(n, word+"_") || strings.HasSuffix(n, "_"+word) ||
				strings.HasPrefix(word, n+"_") || strings.HasSuffix(word, "_"+n) {
				return n
			}
		}
	}
	return name
}

// editDistance counts the letters to insert, remove, replace or swap with the next one to get from a to b.
func editDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// EnvFile has the settings, in the folder that the program runs in.
const EnvFile = ".env"
