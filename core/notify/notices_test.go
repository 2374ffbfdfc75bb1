package notify_test

import (
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/notify"
)

func TestAMessageListsAlertsByRankAndThenTheNewestFirst(t *testing.T) {
	t.Parallel()
	alerts := []notify.Notice{{ID: 1, Rank: 5}, {ID: 2}, {ID: 3, Rank: 9}, {ID: 4}, {ID: 5, Rank: 5}}
	var got []core.NoticeID
	for _, n := range notify.Ranked(alerts) {
		got = append(got, n.ID)
	}
	if !slices.Equal(got, []core.NoticeID{3, 5, 1, 4, 2}) {
		t.Errorf("listed as %v", got)
	}
	if alerts[0].ID != 1 {
		t.Error("the delivery's own notices are in another order")
	}
}
