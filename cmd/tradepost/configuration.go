package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// configuration is the command that prints docs/configuration.md: every setting there is, from the tags that make them.
type configuration struct{}

// Run prints it.
func (*configuration) Run(app *kong.Kong) error { return writeConfiguration(os.Stdout, app.Model) }

const configurationHead = `# Every setting

Each one is a flag, an environment variable, or a file: put the value into a file and its path into the variable with ` + "`_FILE`" + ` behind
its name. Keep secrets in files or variables, for flags show in the list of processes. What is set by a flag wins over the variable, and the
variable over the file. An empty number, duration, list or path counts as left out. Wrong settings stop the start before anything else happens, with exit
status 80 and one line for each that names it and says what is wanted; ` + "`tradepost doctor`" + ` lists them too.

This page is printed by ` + "`tradepost configuration`; `make generate` rewrites it." + `
`

// writeConfiguration writes the settings of every command that has some, each command's own first.
func writeConfiguration(w io.Writer, model *kong.Application) error {
	var page strings.Builder
	page.WriteString(configurationHead)
	described := map[string]bool{}
	for _, command := range model.Children {
		var rows []string
		for _, flag := range command.Flags {
			if flag.Hidden || flag.Name == "help" || described[flag.Name] && len(flag.Envs) > 0 {
				continue
			}
			described[flag.Name] = true
			rows = append(rows, settingRow(flag))
		}
		if command.Hidden || len(rows) == 0 {
			continue
		}
		slices.Sort(rows)
		fmt.Fprintf(&page, "\n## tradepost %s\n\n%s\n\n| flag | variable | when left out | what it is |\n|---|---|---|---|\n%s",
			command.Name, command.Help, strings.Join(rows, ""))
	}
	page.WriteString("\nWhat a command shares with one above it is not repeated.\n")
	_, err := io.WriteString(w, page.String())
	return err
}

func settingRow(flag *kong.Flag) string {
	variable := "-"
	if len(flag.Envs) > 0 {
		variable = "`" + strings.Join(flag.Envs, "`, `") + "`"
	}
	standard := flag.Default
	if standard == "" {
		standard = "-"
	} else {
		standard = "`" + standard + "`"
	}
	return fmt.Sprintf("| `--%s` | %s | %s | %s |\n", flag.Name, variable, standard, strings.ReplaceAll(flag.Help, "|", `\|`))
}
