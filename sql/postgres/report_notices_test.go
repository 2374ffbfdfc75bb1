package postgres_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/people"
)

func TestAReportNotifiesTheModeratorsWhoAreNotASide(t *testing.T) {
	t.Parallel()
	r := newRemovals(t)
	byRole, err := r.People.SignIn(t.Context(), people.Profile{DiscordID: "1role", Username: "role", Roles: []string{"77"}})
	must(t, err)
	order := r.Post(r.mod)
	reports := func(by core.Actor) {
		t.Helper()
		_, err := r.Moderation.ReportOrder(t.Context(), by, order.ID, "A scam")
		must(t, err)
	}
	want := func(mod, other, role int) {
		t.Helper()
		for who, want := range map[core.UserID]int{r.mod.UserID: mod, r.other.UserID: other, byRole.ID: role, r.Ann.UserID: 0, r.Bob.UserID: 0} {
			if got := r.Value("select count(*) from notices where kind = 'report_received' and user_id = $1", who); got != want {
				t.Errorf("user %d has %d notices of reports, want %d", who, got, want)
			}
		}
	}
	reports(r.Ann)
	want(0, 1, 1)
	page, err := r.Notify.Notices(t.Context(), r.other, 0, 1)
	must(t, err)
	if n := page.Notices[0]; n.OrderID != order.ID || n.ItemName != order.ItemName || n.Message != "A scam" || n.CausedBy != 0 || n.Name != "" || n.Contact != "" {
		t.Errorf("the notice is %+v", n)
	}
	reports(r.Bob) // about the same: its moderators know
	want(0, 1, 1)
	must(t, r.Moderation.DismissReport(t.Context(), r.other, 1))
	reports(core.Actor{Address: "192.0.2.7"})
	want(0, 2, 2)
	order = r.Post(r.Ann)
	reports(r.other) // who has written it knows
	want(1, 2, 3)
}
