package web_test

import (
	"fmt"
	"net/http"
	"testing"
)

func TestReportsAboutOneThingAreOneLineAndDismissedTogether(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	juniper := b.signedIn("juniper_fox")
	b.visitor.post(b.order+"/report", object{"reason": "spam"}).wants(http.StatusNoContent)
	juniper.post(b.order+"/report", object{"reason": "Sold me sand"}).wants(http.StatusNoContent)
	if p := b.visitor.post(b.order+"/report", object{"reason": "spam"}).wantsProblem(http.StatusConflict); p.Detail != "This was already reported from your network. A moderator will look at it." {
		t.Errorf("refused with %q", p.Detail)
	}
	b.maple.post(b.offer+"/report", object{"reason": "Sells what he has not got"}).wants(http.StatusNoContent) // another thing

	reports := b.mod.get("/api/moderation/reports").json()["reports"].([]any)
	if len(reports) != 2 {
		t.Fatalf("%d lines, want one for each thing: %v", len(reports), reports)
	}
	r := reports[1].(object)
	reasons := r["reasons"].([]any)
	if r["count"] != 2.0 || r["reason"] != "Sold me sand" || len(reasons) != 2 ||
		reasons[0].(object)["reporter"].(object)["username"] != "juniper_fox" || reasons[1].(object)["reporter"] != nil {
		t.Errorf("listed %v", r)
	}
	b.mod.post(fmt.Sprint("/api/moderation/reports/", r["id"], "/dismiss"), nil).wants(http.StatusNoContent)
	if left := b.mod.get("/api/moderation/reports").json()["reports"].([]any); len(left) != 1 || left[0].(object)["offerId"] == nil {
		t.Errorf("left: %v", left)
	}
	// It may be reported again once it is settled.
	b.visitor.post(b.order+"/report", object{"reason": "spam"}).wants(http.StatusNoContent)
}

func TestAModeratorDoesNotSettleReportsAboutThemselves(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	own := b.mod.posts()
	b.visitor.post(own+"/report", object{"reason": "spam"}).wants(http.StatusNoContent)
	const because = "This is about you. Another moderator has to decide on it."
	for what, path := range map[string]string{"dismiss it": "/api/moderation/reports/1/dismiss", "remove it": own + "/remove"} {
		if p := b.mod.post(path, object{"reason": "Mine"}).wantsProblem(http.StatusForbidden); p.Detail != because {
			t.Errorf("%s: refused with %q", what, p.Detail)
		}
	}
	if left := b.mod.get("/api/moderation/reports").json()["reports"].([]any); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestAModeratorCannotDecideTheirOwnDispute(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.visitor.post(b.order+"/report", object{"reason": "spam"}).wants(http.StatusNoContent)
	b.mod.post(b.order+"/offers", object{"sellerName": "Tamsin", "sellerContact": "oldtamsin", "message": "I have some", "quantityOffered": 1}).wants(http.StatusCreated)
	const because = "This is about you. Another moderator has to decide on it."
	for what, path := range map[string]string{"dismiss it": "/api/moderation/reports/1/dismiss", "remove it": b.order + "/remove"} {
		if p := b.mod.post(path, object{"reason": "No"}).wantsProblem(http.StatusForbidden); p.Detail != because {
			t.Errorf("%s as a seller on it: refused with %q", what, p.Detail)
		}
	}
	own := b.mod.posts()
	offer := b.visitor.offers(own)
	if p := b.mod.post(offer+"/remove", object{"reason": "No"}).wantsProblem(http.StatusForbidden); p.Detail != because {
		t.Errorf("remove an offer as its buyer: refused with %q", p.Detail)
	}
}
