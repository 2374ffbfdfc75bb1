package kernel

import (
	"time"

	"tradepost/core"
)

// UndoView is the JSON shape of an act that the caller can undo, wherever one is shown.
type UndoView struct {
	Kind  core.UndoKind `json:"kind"`
	ID    int64         `json:"id" example:"12"`
	Until *time.Time    `json:"until" doc:"null when another user's act ends it and no time does"`
}

// ViewUndo returns the shape of an act that a user can undo now; nil for none.
func ViewUndo(u core.Undo, by core.UserID, now time.Time) *UndoView {
	if u.May(core.Actor{UserID: by}, now) != nil {
		return nil
	}
	return NewUndoView(u)
}

// NewUndoView returns the shape of an act that the caller can undo.
func NewUndoView(u core.Undo) *UndoView {
	return &UndoView{Kind: u.Kind, ID: u.ID, Until: TimeOrNil(u.Until)}
}
