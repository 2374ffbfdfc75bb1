package match

import (
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

type publicChangesInput struct {
	Cursor string `query:"cursor" doc:"cursor of the answer before; without one there are no changes, and the answer says from where on to ask"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"500" doc:"How many changes at most" example:"100"`
}

type publicChangeView struct {
	Kind core.PublicKind `json:"kind"`
	ID   int64           `json:"id,omitempty" doc:"Which request; left out for other kinds" example:"7"`
}

type publicChangesView struct {
	Changes []publicChangeView `json:"changes" nullable:"false" doc:"The oldest first. One thing may be named several times"`
	Cursor  string             `json:"cursor" doc:"Where to ask from next time. It stays the same while nothing changes" example:"MDEyMzo0NTY6Nzg"`
	More    bool               `json:"more" doc:"Ask again at once: there are more" example:"false"`
}

// listPublicChanges catches a program up.
func (a operations) listPublicChanges(
	ctx context.Context, in *publicChangesInput,
) (*kernel.Public[publicChangesView], error) {
	page, err := a.Market.Match.PublicChanges(ctx, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	view := publicChangesView{Changes: make([]publicChangeView, len(page.Changes)),
		Cursor: page.Next.String(), More: page.More}
	for i, c := range page.Changes {
		view.Changes[i] = publicChangeView(c)
	}
	out := &kernel.Public[publicChangesView]{Body: view}
	if page.More {
		out.Next = view.Cursor
	}
	return out, nil
}

func registerPublicChanges(a *kernel.API, o operations) {
	of := "`order` with the number of a request that joined, changed in or left the lists, "
	if a.Features.Items {
		of += "`catalogue` for the items, "
	}
	kernel.GetPublic(a, kernel.PublicPrefix+"changes", kernel.StaleSoon, o.listPublicChanges,
		"list-public-changes", "Catch up with what changed, for programs",
		"What changed after a cursor, of that which everybody may see: "+of+"`rules` for what moderators "+
			"set. It names things and says neither how nor why they changed: read them at their addresses. "+
			"Offers are not in it, nor requests that expire, since these say when they do. "+
			"Take a cursor first, then read everything, then follow the cursor: no change is skipped, "+
			"however late its transaction ends. Changes are kept for a day. A cursor from before that, or "+
			"from before a crash or a restore of the database, is answered with 410 and the code "+
			"`read_everything`: take a new cursor, and read everything again.")
}
