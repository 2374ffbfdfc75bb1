package discordtest

import "slices"

// selects have what users' clients show as chosen in the lists of messages. A client sends a choice only
// when it differs from that; an edit of the message starts it over with the defaults.
type selects map[string]chosen

type chosen struct {
	revision int
	values   []string
}

// maxSelects is how many are remembered, so that a long run does not fill the memory.
const maxSelects = 10_000

// choose notes a choice, and reports whether the client sends it.
func (s selects) choose(userID string, m *message, c *Component, values []string) bool {
	key := userID + " " + m.ID + " " + c.CustomID
	now, ok := s[key]
	if !ok || now.revision != m.Revision {
		now = chosen{revision: m.Revision}
		for _, o := range c.Options {
			if o.Default {
				now.values = append(now.values, o.Value)
			}
		}
	}
	values = slices.Sorted(slices.Values(values))
	if slices.Equal(values, slices.Sorted(slices.Values(now.values))) {
		return false
	}
	if len(s) >= maxSelects {
		clear(s)
	}
	s[key] = chosen{m.Revision, values}
	return true
}
