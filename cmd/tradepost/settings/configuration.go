package settings

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Configuration is the command that prints docs/configuration.md: every setting there is, from the tags
// that make them.
type Configuration struct{}

// Run prints it.
func (*Configuration) Run(app *kong.Kong) error { return writeConfiguration(os.Stdout, app.Model) }

const configurationHead = `# Every setting

Write a setting into the file ` + "`.env`" + ` in the market's folder, one a line, and restart the market:

    SITE_NAME=Harbour Market
    VISITOR_LIMIT=100

` + "`tradepost setup`" + ` asks for what must be set, and ` +
	"`tradepost doctor`" + ` says what is wrong with it.

- Times have a unit: ` + "`500ms`" + ` is half a second, ` + "`24h`" + ` a day; ` +
	`how long data is kept is counted in days, ` + "`90d`" + `.
- Limits of one user are a number within a time: ` + "`20/h`" + ` is twenty in an hour, ` +
	"`5/day`" + ` five in a day. ` + "`0`" + ` is no limit.
- Lists are separated by commas.
- A secret is better kept in a file: put it there, ` +
	`and the file's path into the variable with ` + "`_FILE`" + ` behind its name.

Each setting is an environment variable, too, and a flag of ` + "`tradepost serve`" + `. ` +
	`A flag wins over the variable, and the variable over the file; flags show in the list of
processes, so they are no place for secrets. An empty number, time, list or path counts as left out. ` +
	`Wrong settings stop the start before anything else happens, with exit
status 80 and one line for each that names it and says what is wanted.

This page is printed by ` + "`tradepost configuration`; `make generate` rewrites it." + `
`

// writeConfiguration writes the settings by group, and then the flags of each command that no group has.
func writeConfiguration(w io.Writer, model *kong.Application) error {
	var page strings.Builder
	page.WriteString(configurationHead)
	settings := ByVariable(model)
	for _, group := range settingGroups {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| setting | example | when left out | what it is |\n"+
			"|---|---|---|---|\n", group.title, group.about)
		for _, s := range group.settings {
			flag, ok := settings[s.variable]
			if !ok {
				return fmt.Errorf("configuration: the group %q has %s, which is no setting", group.title,
					s.variable)
			}
			delete(settings, s.variable)
			page.WriteString(settingRow(flag, s.example))
		}
	}
	page.WriteString("\n## Everything else\n\nMost markets leave these alone.\n\n" +
		"| setting | example | when left out | what it is |\n|---|---|---|---|\n")
	rest := make([]string, 0, len(settings))
	for _, flag := range settings {
		rest = append(rest, settingRow(flag, ""))
	}
	slices.Sort(rest)
	page.WriteString(strings.Join(rest, ""))
	page.WriteString("\n# Flags of the commands\n\n" +
		"Besides the settings above, of which each command has those that it needs.\n")
	for _, command := range model.Leaves(true) {
		writeFlags(&page, command)
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// ByVariable returns every setting that a variable can set, by that.
func ByVariable(model *kong.Application) map[string]*kong.Flag {
	settings := map[string]*kong.Flag{}
	for _, command := range model.Leaves(true) {
		for _, flag := range slices.Concat(command.AllFlags(true)...) {
			if len(flag.Envs) > 0 && settings[flag.Envs[0]] == nil {
				settings[flag.Envs[0]] = flag
			}
		}
	}
	return settings
}

// writeFlags writes the flags of a command that are no settings.
func writeFlags(page *strings.Builder, command *kong.Node) {
	var rows []string
	for _, flag := range slices.Concat(command.AllFlags(true)...) {
		if flag.Name == "help" || flag.Name == "version" || len(flag.Envs) > 0 {
			continue
		}
		rows = append(rows, fmt.Sprintf("| `--%s` | %s | %s |\n", flag.Name, code(flag.Default),
			cell(flag.Help)))
	}
	if len(rows) == 0 {
		return
	}
	slices.Sort(rows)
	fmt.Fprintf(page, "\n## %s\n\n%s\n\n| flag | when left out | what it is |\n|---|---|---|\n%s",
		command.FullPath(), command.Help, strings.Join(rows, ""))
}

func settingRow(flag *kong.Flag, example string) string {
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", flag.Envs[0],
		code(cmp.Or(example, strings.Trim(flag.PlaceHolder, `"`))), code(flag.Default), cell(flag.Help))
}

func code(text string) string {
	if text == "" {
		return "-"
	}
	return "`" + cell(text) + "`"
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
