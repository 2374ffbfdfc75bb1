package discordtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// unfilled matches a place of a text that nothing has filled, such as {2}, and the mark that package fmt
// leaves for one.
var unfilled = regexp.MustCompile(`\{\w+\}|%!\w?\(\w+\)`)

// Typed notes a text that a user typed elsewhere, such as on a web page: the bot may send it with what
// looks like an unfilled place. Texts typed here are known.
func (d *Discord) Typed(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noteTyped(text)
}

func (d *Discord) noteTyped(text string) {
	d.typed = append(d.typed, unfilled.FindAllString(text, -1)...)
}

// noteTypedIn notes the texts of an interaction.
func (d *Discord) noteTypedIn(i *interaction) {
	if d.opts.checkOwn {
		data, _ := json.Marshal(i.data) // our own shapes
		d.noteTyped(string(data))
	}
}

// checkPlaces refuses, in tests, a body with a place that was not filled in, unless a user typed it.
func (d *Discord) checkPlaces(body []byte) []Problem {
	if !d.opts.checkOwn {
		return nil
	}
	var found []Problem
	for _, place := range unfilled.FindAllString(string(body), -1) {
		if !d.isTyped(place) {
			found = append(found, Problem{[]string{"body"}, "UNFILLED_PLACE",
				fmt.Sprintf("the text has the place %s, which was not filled in", place)})
		}
	}
	return found
}

func (d *Discord) isTyped(place string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, typed := range d.typed {
		if typed == place {
			return true
		}
	}
	for _, u := range d.world.Users {
		if strings.Contains(u.Username+" "+u.GlobalName, place) {
			return true
		}
	}
	return false
}
