package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// rooms are read from rooms.json, by layer.
type rooms map[string]layerRooms

// layerRooms is the drawn order of the rooms of a layer. A room uses only rooms before it.
type layerRooms struct {
	Order []string
	// Files says in which room the declarations of a file will be, while the file is not there:
	// "core/odds.go", or one of its declarations "core/odds.go:Odds". "*" is a declaration that is divided
	// among the rooms: no arrow from or to it counts. Files that are not named are in the room of their
	// folder.
	Files map[string]string
}

const divided = "*"

func readRooms(file string) (r rooms, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// of returns the room of a declaration.
func (r layerRooms) of(f *goFile, declaration string) string {
	if room, ok := r.Files[f.path+":"+declaration]; ok {
		return room
	}
	if room, ok := r.Files[f.path]; ok {
		return room
	}
	folder := f.folder
	for !slices.Contains(r.Order, folder) && strings.Contains(folder, "/") {
		folder = folder[:strings.LastIndexByte(folder, '/')]
	}
	return folder
}

// arrowsReport says for each layer how many files use definitions of how many others, and which uses point
// against the drawn order.
func (t *tree) arrowsReport(all rooms, verbose bool) string {
	var out strings.Builder
	for _, layer := range t.limits.Layers {
		drawn := all[layer]
		files, arrows, against := 0, 0, map[[2]*goFile][]string{}
		perRooms := map[string]int{}
		for _, f := range t.handwritten(true) {
			if t.limits.layer(f.folder) != layer {
				continue
			}
			files++
			targets := slices.DeleteFunc(f.targets(), func(to *goFile) bool { return to.generated })
			arrows += len(targets)
			for u := range f.uses {
				from, to := drawn.of(f, u.from), drawn.of(u.file, u.target)
				a, b := slices.Index(drawn.Order, from), slices.Index(drawn.Order, to)
				if a < 0 || b <= a || u.file.generated {
					continue
				}
				key := [2]*goFile{f, u.file}
				if len(against[key]) == 0 {
					perRooms[from+" -> "+to]++
				}
				line := fmt.Sprintf("%s (%s) -> %s (%s)", u.from, from, u.target, to)
				against[key] = append(against[key], line)
			}
		}
		fmt.Fprintf(&out, "%s: %d files, %d arrows", layer, files, arrows)
		if len(drawn.Order) > 0 {
			fmt.Fprintf(&out, ", %d against the order of %d rooms", len(against), len(drawn.Order))
		}
		fmt.Fprintln(&out)
		for _, pair := range slices.SortedFunc(maps.Keys(perRooms), func(a, b string) int {
			return cmp.Or(perRooms[b]-perRooms[a], strings.Compare(a, b))
		}) {
			fmt.Fprintf(&out, "  %4d  %s\n", perRooms[pair], pair)
		}
		if !verbose {
			continue
		}
		for _, line := range t.away(layer, drawn) {
			fmt.Fprintf(&out, "  away from its type: %s\n", line)
		}
		byFiles := func(a, b [2]*goFile) int {
			return cmp.Or(strings.Compare(a[0].path, b[0].path), strings.Compare(a[1].path, b[1].path))
		}
		for _, pair := range slices.SortedFunc(maps.Keys(against), byFiles) {
			fmt.Fprintf(&out, "  %s -> %s\n", pair[0].path, pair[1].path)
			for _, line := range slices.Compact(slices.Sorted(slices.Values(against[pair]))) {
				fmt.Fprintf(&out, "      %s\n", line)
			}
		}
	}
	return out.String()
}

// unknown returns an error for each entry of the rooms that names no file or declaration.
func (t *tree) unknown(all rooms) error {
	var wrong []error
	for _, layer := range slices.Sorted(maps.Keys(all)) {
		for _, entry := range slices.Sorted(maps.Keys(all[layer].Files)) {
			file, name, one := strings.Cut(entry, ":")
			f := t.byPath[file]
			is := func(d declaration) bool { return d.name == name }
			if f == nil || one && !slices.ContainsFunc(f.decls, is) {
				wrong = append(wrong, fmt.Errorf("rooms.json: %s is not there", entry))
			}
			if room := all[layer].Files[entry]; room != divided && !slices.Contains(all[layer].Order, room) {
				wrong = append(wrong, fmt.Errorf("rooms.json: %s is in no drawn room: %s", entry, room))
			}
		}
	}
	return errors.Join(wrong...)
}

// away returns the methods of a layer that would be in another room than their type, where Go allows none.
func (t *tree) away(layer string, drawn layerRooms) (found []string) {
	types := map[string]string{}
	elsewhere := func(f *goFile) bool { return t.limits.layer(f.folder) != layer }
	inLayer := slices.DeleteFunc(t.handwritten(true), elsewhere)
	for _, f := range inLayer {
		for _, d := range f.decls {
			types[f.folder+"."+d.name] = drawn.of(f, d.name)
		}
	}
	for _, f := range inLayer {
		for _, d := range f.decls {
			typ, _, isMethod := strings.Cut(d.name, ".")
			is, of := drawn.of(f, d.name), types[f.folder+"."+typ]
			if isMethod && is != of && of != divided {
				found = append(found, fmt.Sprintf("%s: %s (%s), its type is in %s", f.path, d.name, is, of))
			}
		}
	}
	return found
}
