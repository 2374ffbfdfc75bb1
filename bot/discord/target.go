package discord

import (
	"encoding/json"
	"slices"

	"github.com/bwmarrin/discordgo"
)

// cutTarget returns the data of an interaction without the messages that a command's data has, and the
// custom IDs on them. They are of any user or program, so that the library may not know all of their
// components.
func cutTarget(data []byte) (rest []byte, customIDs []string, err error) {
	var command struct {
		Type discordgo.InteractionType `json:"type"`
		Data struct {
			Resolved map[string]json.RawMessage `json:"resolved"`
		} `json:"data"`
	}
	if json.Unmarshal(data, &command) != nil || command.Type != discordgo.InteractionApplicationCommand ||
		command.Data.Resolved["messages"] == nil {
		return data, nil, nil
	}
	var messages map[string]struct {
		Components any `json:"components"`
	}
	if err := json.Unmarshal(command.Data.Resolved["messages"], &messages); err != nil {
		return nil, nil, err
	}
	for _, m := range messages {
		customIDs = collectIDs(customIDs, m.Components, 0)
	}
	var all, inner map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(all["data"], &inner); err != nil {
		return nil, nil, err
	}
	delete(inner, "resolved")
	if all["data"], err = json.Marshal(inner); err != nil {
		return nil, nil, err
	}
	rest, err = json.Marshal(all)
	return rest, customIDs, err
}

// collectIDs adds the custom IDs in a component and those inside it.
func collectIDs(ids []string, v any, depth int) []string {
	if depth > 12 { // containers are five levels deep at most, each an object and a list
		return ids
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			ids = collectIDs(ids, one, depth+1)
		}
	case map[string]any:
		if id, ok := v["custom_id"].(string); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		for _, key := range []string{"components", "accessory"} {
			ids = collectIDs(ids, v[key], depth+1)
		}
	}
	return ids
}
