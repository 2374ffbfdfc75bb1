package kernel

import (
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

// Person is a user as moderators see them, and a buyer those they blocked.
type Person struct {
	ID       core.UserID `json:"id" doc:"The user's ID on this site" example:"3"`
	Username string      `json:"username" doc:"Their current username; empty when they have deleted their account" example:"maple"`
}

// PersonOrNull returns a user, or null for no id.
func PersonOrNull(id core.UserID, username string) (p OrNull[Person]) {
	if id != 0 {
		p.Value = &Person{ID: id, Username: username}
	}
	return p
}

// Counterpart is the JSON shape of the other side of a trade.
type Counterpart struct {
	Name    string `json:"name" example:"Fern"`
	Contact string `json:"contact" doc:"A Discord username" example:"fern"`

	LookAlike *LookAlikeView `json:"lookAlike,omitempty" doc:"Whether contact or name looks like the name of an established trader, but isn't theirs; left out when neither does"`
}

// RecordView is the JSON shape of a trader's record, which is made from their handovers.
type RecordView struct {
	UserID   core.UserID `json:"userId" doc:"The trader's user ID on this site" example:"3"`
	New      bool        `json:"new" doc:"Not an established trader yet: there is too little to say"`
	Partners int         `json:"partners" doc:"Different established traders they met; of those who mostly trade among themselves three at most. Zero until the trader is established" example:"12"`
	Others   int         `json:"others" doc:"Different other partners they met" example:"3"`
	Met      int         `json:"met" doc:"Handovers that were met" example:"40"`
	Kept     *int        `json:"kept" minimum:"0" maximum:"100" doc:"Reliability: share of partners they met as agreed, in percent, rounded down; null for unknown" example:"98"`
	MeetsIn  *int        `json:"meetsIn" doc:"Usual time from the accept until both had met, in minutes; null for unknown" example:"1440"`
}

// ViewRecord returns the shape of a trader's record.
func ViewRecord(id core.UserID, r trust.Record) RecordView {
	view := RecordView{UserID: id, New: r.New(), Partners: r.Partners, Others: r.Others, Met: r.Met}
	if r.Kept != trust.NoShare {
		view.Kept = &r.Kept
	}
	if r.MeetsIn > 0 {
		view.MeetsIn = new(int(r.MeetsIn / time.Minute))
	}
	return view
}
