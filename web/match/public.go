package match

import (
	"context"

	"tradepost/web/kernel"
)

func (a operations) getPublicWanted(
	ctx context.Context, in *struct{},
) (*kernel.Public[wantedView], error) {
	report, err := a.getWanted(ctx, in)
	if err != nil {
		return nil, err
	}
	return &kernel.Public[wantedView]{Body: report.Body}, nil
}

func registerPublic(a *kernel.API, o operations) {
	kernel.GetPublic(a, kernel.PublicPrefix+"wanted", kernel.StaleWithTime, o.getPublicWanted,
		"get-public-wanted", "Report what is wanted and not offered, for programs",
		"The report of /api/wanted: what has no offer yet, what was filled fastest, and prices that moved.")
}
