package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"tradepost/core"
	msg "tradepost/core/text"
)

// Draft is a command with its typed input, which a button continues.
type Draft struct {
	Command string            `json:"command,omitempty"`
	Options map[string]string `json:"options"`
}

// Keep stores the typed input and returns its number.
func (k *Kernel) Keep(ctx context.Context, in Input, d Draft) (int64, error) {
	content, err := json.Marshal(d)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	id, err := k.Drafts.AddDraft(ctx, in.Actor.UserID, content)
	if err != nil {
		return 0, fmt.Errorf("keep draft: %w", err)
	}
	return id, nil
}

// LoadDraft returns a stored draft of the actor.
func (k *Kernel) LoadDraft(ctx context.Context, in Input, id int64) (Draft, error) {
	content, err := k.Drafts.Draft(ctx, in.Actor.UserID, id)
	if core.KindOf(err) == core.NotFound {
		return Draft{}, core.NewError(core.NotFound, draftGone)
	}
	if err != nil {
		return Draft{}, fmt.Errorf("draft %d: %w", id, err)
	}
	var d Draft
	if err := json.Unmarshal(content, &d); err != nil {
		return Draft{}, fmt.Errorf("draft %d: %w", id, err)
	}
	return d, nil
}

var draftGone = core.NewText("draft_gone")

// With returns the input with the options of a draft instead of its own.
func (in Input) With(options map[string]string) Input {
	in.Options = maps.Clone(options)
	in.Fields = nil
	return in
}

// Repeated gives the input the idempotency key of a draft, so that repeated presses have one
// effect.
func (in Input) Repeated(id int64, choice string) Input {
	in.Actor.Key, in.Actor.OtherKey = fmt.Sprintf("draft-%d-%s", id, choice), ""
	return in
}

// OwnRoutes returns the kernel's own handlers: for a choice that a command has asked for, and for a view that
// is shown again.
func (k *Kernel) OwnRoutes() Routes {
	return Routes{Components: map[string]Route{
		"go-on": {Do: k.continueDraft, Redraws: true},
		"back":  {Do: k.back, Redraws: true},
	}}
}

// continueDraft repeats a command with the choice that was missing.
func (k *Kernel) continueDraft(ctx context.Context, in Input) (Reply, error) {
	id, missing := in.ID.Number(0), in.ID.Word(1)
	d, err := k.LoadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	to, ok := k.Table.Commands[d.Command]
	if !ok || len(in.Values) != 1 {
		return Private(in.Tr.Text(msg.Outdated)), nil
	}
	in = in.With(d.Options).Repeated(id, in.Values[0])
	in.Options[missing] = in.Values[0]
	reply, err := to.Do(ctx, in)
	reply.Redraw = !reply.Public // the question was private, and would stay so
	return reply, err
}

// Begun returns a draft, or an empty one for the number 0: a form can be where a request begins.
func (k *Kernel) Begun(ctx context.Context, in Input, id int64) (Draft, error) {
	if id == 0 {
		return Draft{}, nil
	}
	return k.LoadDraft(ctx, in, id)
}
