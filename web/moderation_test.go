package web_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/web"
)

func TestOnlyModeratorsModerate(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	juniper := b.signedIn("juniper_fox")
	reason := object{"reason": "No such item"}
	b.visitor.post(b.order+"/report", reason).wants(http.StatusNoContent)
	for what, try := range map[string]func(*browser) *reply{
		"remove a request": func(by *browser) *reply { return by.post(b.order+"/remove", reason) },
		"remove an offer":  func(by *browser) *reply { return by.post(b.offer+"/remove", reason) },
		"read the reports": func(by *browser) *reply { return by.get("/api/moderation/reports") },
		"dismiss a report": func(by *browser) *reply { return by.post("/api/moderation/reports/1/dismiss", nil) },
		"read the log":     func(by *browser) *reply { return by.get("/api/moderation/audit") },
		"read the blocks":  func(by *browser) *reply { return by.get("/api/moderation/blocks") },
		"block a user": func(by *browser) *reply {
			return by.post("/api/moderation/blocks", object{"userId": juniper.User.ID, "reason": "x"})
		},
		"set a ring aside": func(by *browser) *reply {
			return by.post("/api/moderation/rings", object{"proposal": 1})
		},
		"leave a ring":          func(by *browser) *reply { return by.delete("/api/moderation/rings/proposals/1") },
		"read the rings":        func(by *browser) *reply { return by.get("/api/moderation/rings") },
		"count a ring again":    func(by *browser) *reply { return by.delete("/api/moderation/rings/1") },
		"vouch for a user":      func(by *browser) *reply { return by.post("/api/moderation/vouches", object{"userId": juniper.User.ID}) },
		"read who reaches most": func(by *browser) *reply { return by.get("/api/moderation/reach") },
		"stop a user's reach":   func(by *browser) *reply { return by.post("/api/moderation/reach", object{"userId": juniper.User.ID}) },
		"allow a user's reach":  func(by *browser) *reply { return by.delete(fmt.Sprint("/api/moderation/reach/", juniper.User.ID)) },
		"have sellers sign in":  func(by *browser) *reply { return by.post("/api/moderation/signed-in-only", reason) },
		"read new names":        func(by *browser) *reply { return by.get("/api/moderation/items") },
		"confirm a name":        func(by *browser) *reply { return by.post("/api/moderation/items/1/confirm", nil) },
		"merge a name":          func(by *browser) *reply { return by.post("/api/moderation/items/1/merge", object{"into": 2}) },
		"ignore a name":         func(by *browser) *reply { return by.post("/api/moderation/items/1/ignore", nil) },
		"let visitors offer":    func(by *browser) *reply { return by.delete("/api/moderation/signed-in-only") },
		"unblock a user":        func(by *browser) *reply { return by.delete(fmt.Sprint("/api/moderation/blocks/", juniper.User.ID)) },
	} {
		b.run("visitors may not "+what, func(*testing.T) { try(b.visitor).wantsProblem(http.StatusUnauthorized) })
		for name, by := range map[string]*browser{"the buyer": b.maple, "the seller": b.rowan, "another user": juniper} {
			b.run(name+" may not "+what, func(t *testing.T) {
				if p := try(by).wantsProblem(http.StatusForbidden); p.Detail != "Only a moderator can do that" {
					t.Errorf("refused with %q", p.Detail)
				}
			})
		}
	}
	b.unchanged()
	for name, by := range map[string]*browser{"maple": b.maple, moderator: b.mod} {
		if me := by.get("/api/me").json()["user"].(object); me["moderator"] != (name == moderator) {
			t.Errorf("%s reads %v", name, me)
		}
	}
}

func TestAModeratorRemovesWithAReasonAndTheOwnerIsNotified(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.mod.post(b.order+"/remove", object{"reason": " "}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.mod.post(b.order+"/remove", object{"reason": strings.Repeat("é", 501)}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.mod.post("/api/orders/999/remove", object{"reason": "x"}).wantsProblem(http.StatusNotFound)
	b.unchanged()

	b.mod.post(b.offer+"/remove", object{"reason": "Sells what he has not got"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(b.offer+"/remove", object{"reason": "Sells what he has not got"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	if sent := b.rowan.get("/api/me/offers").json()["offers"].([]any)[0].(object); sent["state"] != "removed" {
		t.Errorf("the seller's record says %v", sent)
	}
	if n := b.rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object); n["kind"] != "offer_removed" || n["message"] != "Sells what he has not got" {
		t.Errorf("the seller reads %v", n)
	}
	b.mod.post(b.order+"/remove", object{"reason": "No such item"}).wants(http.StatusNoContent)
	b.visitor.get(b.order).wantsProblem(http.StatusNotFound)
	notices := b.maple.get("/api/me/notices")
	if n := notices.json()["notices"].([]any)[0].(object); n["kind"] != "order_removed" || n["message"] != "No such item" || n["orderId"] != nil {
		t.Errorf("the buyer reads %v", n)
	}
	if strings.Contains(string(notices.body), moderator) {
		t.Error("the notice names the moderator")
	}
	entries := b.mod.get("/api/moderation/audit").json()["entries"].([]any)
	if len(entries) != 2 {
		t.Fatalf("noted %v", entries)
	}
	if e := entries[0].(object); e["action"] != "order_removed" || e["reason"] != "No such item" || e["itemName"] != "Iron Ore" ||
		e["moderator"].(object)["username"] != moderator || e["subject"].(object)["username"] != "maple" {
		t.Errorf("noted %v", e)
	}
	undo := fmt.Sprint("/api/moderation/audit/", entries[0].(object)["id"], "/undo")
	if entries[0].(object)["undoable"] != true {
		t.Errorf("the removal cannot be undone: %v", entries[0])
	}
	b.visitor.post(undo, nil).wantsProblem(http.StatusUnauthorized)
	b.maple.post(undo, nil).wantsProblem(http.StatusForbidden)
	b.mod.post(undo, nil, "Idempotency-Key", "undo").wants(http.StatusNoContent)
	b.mod.post(undo, nil, "Idempotency-Key", "undo").wants(http.StatusNoContent)
	b.mod.post(undo, nil).wantsProblem(http.StatusConflict)
	b.mod.post("/api/moderation/audit/999/undo", nil).wantsProblem(http.StatusNotFound)
	b.visitor.get(b.order).wants(http.StatusOK)
}

func TestABlockedUserIsShutOutUntilUnblocked(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	rowans := b.rowan.posts()
	standing := b.maple.offers(rowans)
	block := object{"userId": b.maple.User.ID, "reason": "Floods the board"}
	b.mod.post("/api/moderation/blocks", object{"userId": b.maple.User.ID, "reason": ""}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.mod.post("/api/moderation/blocks", object{"userId": 999, "reason": "x"}).wantsProblem(http.StatusNotFound)
	if p := b.mod.post("/api/moderation/blocks", object{"userId": b.mod.User.ID, "reason": "x"}).wantsProblem(http.StatusForbidden); p.Detail != "A moderator cannot be blocked" {
		t.Errorf("refused with %q", p.Detail)
	}
	b.mod.post("/api/moderation/blocks", block).wants(http.StatusNoContent)
	b.mod.post("/api/moderation/blocks", block).wantsProblem(http.StatusConflict)

	if page := b.visitor.get("/api/orders").json(); page["total"] != 1.0 || len(page["orders"].([]any)) != 1 {
		t.Errorf("the board shows %v", page)
	}
	if counts := b.visitor.get("/api/orders/counts").json(); counts["all"] != 1.0 {
		t.Errorf("the chips count %v", counts)
	}
	b.visitor.get(b.order).wantsProblem(http.StatusNotFound)
	b.visitor.get(strings.Replace(b.order, "/api/orders", "/requests", 1) + "/card.png").wants(http.StatusNotFound)
	if r := b.visitor.get(strings.Replace(b.order, "/api/orders", "/requests", 1)); strings.Contains(string(r.body), "Iron Ore") {
		t.Error("its page still unfurls")
	}
	b.visitor.post(b.order+"/report", object{"reason": "x"}).wantsProblem(http.StatusNotFound)
	if hidden := b.mod.get(b.order).json(); hidden["hidden"] != true {
		t.Errorf("a moderator reads %v", hidden)
	}
	if own := b.maple.get("/api/me/orders").json()["orders"].([]any)[0].(object); own["hidden"] != true {
		t.Errorf("the buyer reads %v", own)
	}
	if me := b.maple.get("/api/me").json()["user"].(object); me["blockedFor"] != "Floods the board" {
		t.Errorf("the blocked user reads %v", me)
	}
	b.rowan.post(standing+"/accept", object{"quantity": 1}).wantsProblem(http.StatusNotFound)
	for what, try := range map[string]func() *reply{
		"post":       func() *reply { return b.maple.post("/api/orders", order()) },
		"edit":       func() *reply { return b.maple.patch(b.order, object{"version": 2, "quantity": 9}) },
		"renew":      func() *reply { return b.maple.post(b.order+"/renew", nil) },
		"offer":      func() *reply { return b.maple.post(rowans+"/offers", offer()) },
		"accept":     func() *reply { return b.maple.post(b.offer+"/accept", object{"quantity": 1}) },
		"log a sale": func() *reply { return b.maple.post(b.order+"/sales", object{"quantitySold": 1}) },
		"report":     func() *reply { return b.maple.post(rowans+"/report", object{"reason": "x"}) },
	} {
		b.run("they cannot "+what, func(t *testing.T) {
			if p := try().wantsProblem(http.StatusForbidden); p.Detail != "A moderator has blocked you from trading here" {
				t.Errorf("refused with %q", p.Detail)
			}
		})
	}
	if users := b.mod.get("/api/moderation/blocks").json()["users"].([]any); len(users) != 1 || users[0].(object)["user"].(object)["username"] != "maple" {
		t.Errorf("blocked are %v", users)
	}
	b.mod.delete(fmt.Sprint("/api/moderation/blocks/", b.maple.User.ID)).wants(http.StatusNoContent)
	b.mod.delete(fmt.Sprint("/api/moderation/blocks/", b.maple.User.ID)).wantsProblem(http.StatusConflict)
	if page := b.visitor.get("/api/orders").json(); page["total"] != 2.0 {
		t.Errorf("the board shows %v", page)
	}
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wants(http.StatusOK)
}

func TestAnybodyReportsAndOnlyModeratorsLearnWho(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	juniper := b.signedIn("juniper_fox")
	words := "Sold me sand as iron"
	juniper.post(b.order+"/report", object{"reason": words}).wants(http.StatusNoContent)
	if p := juniper.post(b.order+"/report", object{"reason": "again"}).wantsProblem(http.StatusConflict); !strings.HasPrefix(p.Detail, "You have reported this already") {
		t.Errorf("refused with %q", p.Detail)
	}
	b.visitor.post(b.order+"/report", object{"reason": "Me, too"}).wants(http.StatusNoContent)
	b.visitor.post(b.order+"/report", object{"reason": ""}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.visitor.post("/api/orders/999/report", object{"reason": "x"}).wantsProblem(http.StatusNotFound)
	b.maple.post(b.order+"/report", object{"reason": "x"}).wantsProblem(http.StatusForbidden)
	b.maple.post(b.offer+"/report", object{"reason": "He never came"}).wants(http.StatusNoContent)
	b.visitor.post(b.offer+"/report", object{"reason": "x"}).wantsProblem(http.StatusUnauthorized)
	juniper.post(b.offer+"/report", object{"reason": "x"}).wantsProblem(http.StatusForbidden)

	reports := b.mod.get("/api/moderation/reports").json()["reports"].([]any)
	if len(reports) != 2 {
		t.Fatalf("%d reports wait", len(reports))
	}
	if r := reports[1].(object); r["reporter"].(object)["username"] != "juniper_fox" || r["subject"].(object)["username"] != "maple" || r["reason"] != words {
		t.Errorf("a report reads %v", r)
	}
	if r := reports[1].(object)["reasons"].([]any)[1].(object); r["reporter"] != nil || r["reason"] != "Me, too" {
		t.Errorf("a visitor's report reads %v", r)
	}
	if r := reports[0].(object); r["offer"].(object)["sellerContact"] != "rowan.ashdown" {
		t.Errorf("a report of an offer reads %v", r)
	}

	last := fmt.Sprint("/api/moderation/reports/", reports[0].(object)["id"], "/dismiss")
	b.mod.post(last, nil).wants(http.StatusNoContent)
	b.mod.post(last, nil).wantsProblem(http.StatusConflict)
	b.mod.post("/api/moderation/reports/99/dismiss", nil).wantsProblem(http.StatusNotFound)
	b.mod.post(b.order+"/remove", object{"reason": "Not iron"}).wants(http.StatusNoContent)
	if left := b.mod.get("/api/moderation/reports").json()["reports"].([]any); len(left) != 0 {
		t.Errorf("after the removal %v wait", left)
	}
	if own := juniper.get("/api/me/data").wants(http.StatusOK).json()["reports"].([]any); len(own) != 1 || own[0].(object)["reason"] != words || own[0].(object)["state"] != "acted_on" {
		t.Errorf("the reporter's account export has %v", own)
	}
	for who, reader := range map[string]*browser{"the reported": b.maple, "a visitor": b.visitor, "the seller": b.rowan} {
		for _, path := range []string{"/api/orders", b.order, "/api/me", "/api/me/notices", "/api/me/orders", "/api/me/offers", "/api/me/data", "/api/moderation/reports"} {
			if text := string(reader.get(path).body); strings.Contains(text, "juniper") || strings.Contains(text, words) {
				t.Errorf("%s reads at %s who reported: %s", who, path, text)
			}
		}
	}
}

func TestVisitorsReportsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Limits.VisitorReports = 2 })
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	for _, reported := range []string{address, maple.posts(object{"itemName": "Gold Sand"})} {
		visitor.post(reported+"/report", object{"reason": "No such item"}).wants(http.StatusNoContent)
	}
	r := visitor.post(address+"/report", object{"reason": "No such item"})
	r.wantsProblem(http.StatusTooManyRequests)
	if r.header.Get("Retry-After") == "" {
		t.Error("nothing says when again")
	}
	s.signedIn("rowan.ashdown").post(address+"/report", object{"reason": "No such item"}).wants(http.StatusNoContent)
}

func TestABuyerBlocksASeller(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	other := b.maple.posts()
	visitors := b.visitor.offers(other)
	b.visitor.post(b.offer+"/block-seller", nil).wantsProblem(http.StatusUnauthorized)
	b.rowan.post(b.offer+"/block-seller", nil).wantsProblem(http.StatusForbidden)
	b.maple.post(visitors+"/block-seller", nil).wantsProblem(http.StatusUnprocessableEntity)
	b.maple.post(b.offer+"/block-seller", nil).wants(http.StatusNoContent)
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wantsProblem(http.StatusNotFound)
	if p := b.rowan.post(other+"/offers", offer()).wantsProblem(http.StatusForbidden); p.Detail != "This buyer doesn't accept offers from you" {
		t.Errorf("refused with %q", p.Detail)
	}
	if sent := b.rowan.get("/api/me/offers").json()["offers"].([]any)[0].(object); sent["state"] != "declined" {
		t.Errorf("the seller's record says %v", sent)
	}
	sellers := b.maple.get("/api/me/blocked-sellers").json()["sellers"].([]any)
	if len(sellers) != 1 || sellers[0].(object)["seller"].(object)["username"] != "rowan.ashdown" {
		t.Errorf("blocked are %v", sellers)
	}
	b.visitor.get("/api/me/blocked-sellers").wantsProblem(http.StatusUnauthorized)
	b.maple.delete(fmt.Sprint("/api/me/blocked-sellers/", b.rowan.User.ID)).wants(http.StatusNoContent)
	b.rowan.post(other+"/offers", offer()).wants(http.StatusCreated)
}

func TestUnderAttackOnlySignedInSellersOffer(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	const path = "/api/moderation/signed-in-only"
	b.mod.post(path, object{"reason": " "}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	b.mod.delete(path).wantsProblem(http.StatusConflict)
	if since := b.visitor.get("/api/rules").json()["signedInOnlySince"]; since != nil {
		t.Errorf("visitors may not offer since %v", since)
	}
	b.mod.post(path, object{"reason": "A flood of offers"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(path, object{"reason": "A flood of offers"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(path, object{"reason": "A flood of offers"}).wantsProblem(http.StatusConflict)
	if since := b.visitor.get("/api/rules").json()["signedInOnlySince"]; since == nil {
		t.Error("the page cannot say that sellers have to sign in")
	}
	p := b.visitor.post(b.order+"/offers", offer()).wantsProblem(http.StatusUnauthorized)
	if p.Code != web.CodeSignIn || p.Detail != "Only signed-in sellers can offer right now. Sign in with Discord to send your offer." {
		t.Errorf("a visitor reads %+v", p)
	}
	b.signedIn("juniper_fox").offers(b.order)
	b.mod.delete(path).wants(http.StatusNoContent)
	b.visitor.post(b.order+"/offers", offer()).wants(http.StatusCreated)
	entries := b.mod.get("/api/moderation/audit").json()["entries"].([]any)
	if on := entries[1].(object); len(entries) != 2 || entries[0].(object)["action"] != "signed_in_only_off" ||
		on["action"] != "signed_in_only_on" || on["reason"] != "A flood of offers" || on["subject"] != nil {
		t.Errorf("noted %v", entries)
	}
}

// propose stores a user as a proposed ring and returns its number.
func (s *site) propose(who *browser) core.ProposedRingID {
	s.t.Helper()
	id, err := coretest.Propose(s.t.Context(), s.store.Atomically, s.store, who.User.ID)
	must(s.t, err)
	return id
}

func TestAModeratorDecidesAboutProposedRings(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	names := func(list object, of string) (found []string) {
		for _, ring := range list[of].([]any) {
			for _, member := range ring.(object)["members"].([]any) {
				found = append(found, member.(object)["username"].(string))
			}
		}
		return found
	}
	ring := b.propose(b.rowan)
	list := b.mod.get("/api/moderation/rings").wants(http.StatusOK).json()
	if got := names(list, "proposals"); !slices.Equal(got, []string{"rowan.ashdown"}) {
		t.Errorf("%v are proposed", got)
	}
	proposal := list["proposals"].([]any)[0].(object)
	for field, want := range (object{"id": float64(ring), "accounts": 1.0, "trades": 25.0, "inside": 24.0, "insidePercent": 96.0, "oneCopper": 20.0,
		"sameMinute": 4.0, "youngAccounts": 0.0, "reasons": []any{"one_copper"}}) {
		if !reflect.DeepEqual(proposal[field], want) {
			t.Errorf("%s is %v, want %v", field, proposal[field], want)
		}
	}
	b.mod.delete(fmt.Sprint("/api/moderation/rings/proposals/", ring)).wants(http.StatusNoContent)
	b.mod.delete(fmt.Sprint("/api/moderation/rings/proposals/", ring)).wants(http.StatusNotFound)
	b.mod.post("/api/moderation/rings", object{"proposal": ring}).wants(http.StatusNotFound)

	old := b.mod.post("/api/moderation/rings", object{"users": []string{"maple"}, "reason": "A ring"}).wants(http.StatusUnprocessableEntity).json()
	if errors := old["errors"].(object); errors["users"] != "Unknown field" {
		t.Errorf("a program from before is answered %v", errors)
	}
	b.mod.post("/api/moderation/rings", object{"proposal": b.propose(b.maple)}).wants(http.StatusNoContent)
	list = b.mod.get("/api/moderation/rings").wants(http.StatusOK).json()
	if proposed, aside := names(list, "proposals"), names(list, "rings"); len(proposed) != 0 || !slices.Equal(aside, []string{"maple"}) {
		t.Errorf("%v are proposed and %v set aside", proposed, aside)
	}
	log := b.mod.get("/api/moderation/audit").json()["entries"].([]any)
	if first, second := log[0].(object), log[1].(object); first["action"] != "user_set_aside" || second["action"] != "user_not_in_ring" {
		t.Errorf("the log begins with %v and %v", first, second)
	}
}
