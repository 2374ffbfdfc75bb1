package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

type recordsView struct {
	Records []kernel.RecordView `json:"records" doc:"In the order of the question"`
}

func (a operations) listRecords(ctx context.Context, in *struct {
	Users []int64 `query:"user,explode" maxItems:"60" doc:"User IDs on this site; may be repeated" example:"[3]"`
}) (*kernel.Answer[recordsView], error) {
	var c core.Checks
	c.That(len(in.Users) <= trust.MaxRecords, "user",
		core.NewText("too_many_values", "limit", trust.MaxRecords))
	if err := c.Err(); err != nil {
		return nil, err
	}
	users := kernel.Numbers[core.UserID](in.Users)
	records, err := a.Market.Trust.Records(ctx, append([]core.UserID{}, users...)...)
	if err != nil {
		return nil, err
	}
	view := recordsView{Records: make([]kernel.RecordView, 0, len(users))}
	for _, id := range users {
		record, known := records[id]
		if !known {
			record.Kept = trust.NoShare
		}
		view.Records = append(view.Records, kernel.ViewRecord(id, record))
	}
	return &kernel.Answer[recordsView]{Body: view}, nil
}

// traderView is the JSON shape of the public page of a trader.
type traderView struct {
	Name        string            `json:"name" example:"Maple"`
	Since       time.Time         `json:"since" doc:"When the month began in which they came"`
	Established bool              `json:"established" doc:"They are an established trader"`
	Record      kernel.RecordView `json:"record"`
}

func (a operations) getTrader(ctx context.Context, in *struct {
	kernel.Caller
	ID core.UserID `path:"id" doc:"The trader's user ID on this site" example:"3"`
}) (*kernel.Answer[traderView], error) {
	t, err := a.Market.Trust.TraderPage(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[traderView]{Body: traderView{Name: t.Name, Since: t.Since,
		Established: t.Established, Record: kernel.ViewRecord(t.User, t.Record)}}, nil
}
