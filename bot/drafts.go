package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"tradepost/core"
)

// Drafts keeps what a person has typed until they decide on it, over restarts. A draft never changes: an edit makes a new
// one.
type Drafts interface {
	AddDraft(ctx context.Context, owner core.UserID, content []byte) (id int64, err error)
	// Draft returns a draft of the owner's. It refuses with NotFound, also when it is somebody else's.
	Draft(ctx context.Context, owner core.UserID, id int64) (content []byte, err error)
}

// draft is a command with what was typed, to be gone on with by a button.
type draft struct {
	Command string            `json:"command,omitempty"`
	Options map[string]string `json:"options"`
}

// keep stores what was typed and returns its number.
func (b *Bot) keep(ctx context.Context, in Input, d draft) (int64, error) {
	content, err := json.Marshal(d)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	id, err := b.drafts.AddDraft(ctx, in.Actor.UserID, content)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	return id, nil
}

func (b *Bot) kept(ctx context.Context, in Input, id int64) (draft, error) {
	content, err := b.drafts.Draft(ctx, in.Actor.UserID, id)
	if core.KindOf(err) == core.NotFound {
		return draft{}, &core.Error{Kind: core.NotFound, Message: draftGone}
	}
	if err != nil {
		return draft{}, fmt.Errorf("draft %d: %w", id, err)
	}
	var d draft
	if err := json.Unmarshal(content, &d); err != nil {
		return draft{}, fmt.Errorf("draft %d: %w", id, err)
	}
	return d, nil
}

// draftGone is our own refusal; the catalogues know it like those of the core.
const draftGone = "That was begun too long ago. Send the command again."

// with returns the input with what a draft holds instead of its own options.
func (in Input) with(options map[string]string) Input {
	in.options = maps.Clone(options)
	in.fields = nil
	return in
}

// repeated gives the input the key of a draft: whatever the person presses how often, its draft has one effect.
func (in Input) repeated(id int64, choice string) Input {
	in.Actor.Key = fmt.Sprintf("draft-%d-%s", id, choice)
	return in
}

// goOn repeats a command with the choice that was missing.
func (b *Bot) goOn(ctx context.Context, in Input) (Reply, error) {
	id, missing := in.press.number(0), in.press.word(1)
	d, err := b.kept(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	to, ok := b.routes.commands[d.Command]
	if !ok || len(in.values) != 1 {
		return private(in.say.text(msgOutdated)), nil
	}
	in = in.with(d.Options).repeated(id, in.values[0])
	in.options[missing] = in.values[0]
	reply, err := to.do(ctx, in)
	reply.redraw = !reply.public // the question was private, and would stay so
	return reply, err
}
