package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"tradepost/core"
)

// writeScope determines which interactions are the same write.
type writeScope int

const (
	// perPress is the same for everyone who presses the same component of the same message: it is one write
	// until the message is redrawn with another state. A form is one write regardless of its content.
	perPress writeScope = iota
	// PerContent is perPress for forms that make another write with other content; the core checks the
	// version of their subject.
	PerContent
	// PerDrawing is perPress until the message is edited for whatever reason, for writes that can be
	// undone: the message then has the same component again, and pressing it is another write. A press that
	// crosses an edit is refused by the core.
	PerDrawing
	// PerInteraction is for writes that may be repeated on an unchanged message, and do no harm when they
	// are.
	PerInteraction
)

// withKey gives the actor the key of the interaction's write. A command is one write. Its second name is the
// key that earlier versions of the program use: both may be running, and both get the interaction.
func (in Input) withKey(by writeScope) core.Actor {
	actor := in.Actor
	actor.Key = in.interactionKey()
	if !in.Interaction.IsOnMessage() || in.Interaction.IsCommand() || by == PerInteraction {
		return actor
	}
	parts := append([]string{in.Interaction.Message.ID, in.Interaction.CustomID()}, in.Values...)
	switch by {
	case perPress, PerInteraction:
	case PerDrawing:
		if at := in.Interaction.Message.EditedTimestamp; at != nil {
			parts = append(parts, at.UTC().Format(time.RFC3339Nano))
		}
	case PerContent:
		for _, name := range slices.Sorted(maps.Keys(in.Fields)) {
			parts = append(parts, name, in.Fields[name])
		}
	}
	hash := sha256.New()
	for _, part := range parts {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	actor.Key, actor.OtherKey = "press-"+hex.EncodeToString(hash.Sum(nil)), actor.Key
	return actor
}

// interactionKey is one of the names of each write of the interaction.
func (in Input) interactionKey() string { return "discord-" + in.Interaction.ID }
