package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	msg "tradepost/bot/text"
	"tradepost/core"
)

// Drafts keeps what a person has typed until they decide on it, over restarts. A draft never changes: an edit makes a new
// one.
type Drafts interface {
	AddDraft(ctx context.Context, owner core.UserID, content []byte) (id int64, err error)
	// Draft returns a draft of the owner's. It returns NotFound, also for another user's.
	Draft(ctx context.Context, owner core.UserID, id int64) (content []byte, err error)
}

// draft is a command with its typed input, which a button continues.
type draft struct {
	Command string            `json:"command,omitempty"`
	Options map[string]string `json:"options"`
}

// keep stores the typed input and returns its number.
func (k *Kernel) keep(ctx context.Context, in Input, d draft) (int64, error) {
	content, err := json.Marshal(d)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	id, err := k.drafts.AddDraft(ctx, in.Actor.UserID, content)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	return id, nil
}

// loadDraft returns a stored draft of the actor.
func (k *Kernel) loadDraft(ctx context.Context, in Input, id int64) (draft, error) {
	content, err := k.drafts.Draft(ctx, in.Actor.UserID, id)
	if core.KindOf(err) == core.NotFound {
		return draft{}, core.NewError(core.NotFound, draftGone)
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

var draftGone = core.NewText("draft_gone", "That was begun too long ago. Send the command again.")

// with returns the input with the options of a draft instead of its own.
func (in Input) with(options map[string]string) Input {
	in.options = maps.Clone(options)
	in.fields = nil
	return in
}

// repeated gives the input the idempotency key of a draft, so that repeated presses have one
// effect.
func (in Input) repeated(id int64, choice string) Input {
	in.Actor.Key, in.Actor.OtherKey = fmt.Sprintf("draft-%d-%s", id, choice), ""
	return in
}

// continueDraft repeats a command with the choice that was missing.
func (k *Kernel) continueDraft(ctx context.Context, in Input) (Reply, error) {
	id, missing := in.id.Number(0), in.id.Word(1)
	d, err := k.loadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	to, ok := k.routes.commands[d.Command]
	if !ok || len(in.values) != 1 {
		return private(in.tr.text(msg.Outdated)), nil
	}
	in = in.with(d.Options).repeated(id, in.values[0])
	in.options[missing] = in.values[0]
	reply, err := to.do(ctx, in)
	reply.redraw = !reply.public // the question was private, and would stay so
	return reply, err
}
