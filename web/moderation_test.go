package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

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
		"unblock a user": func(by *browser) *reply { return by.delete(fmt.Sprint("/api/moderation/blocks/", juniper.User.ID)) },
	} {
		b.run("visitors may not "+what, func(*testing.T) { try(b.visitor).refuses(http.StatusUnauthorized) })
		for name, by := range map[string]*browser{"the buyer": b.maple, "the seller": b.rowan, "another user": juniper} {
			b.run(name+" may not "+what, func(t *testing.T) {
				if p := try(by).refuses(http.StatusForbidden); p.Detail != "Only a moderator can do that" {
					t.Errorf("refused with %q", p.Detail)
				}
			})
		}
	}
	b.unchanged()
	for name, by := range map[string]*browser{"maple": b.maple, moderator: b.mod} {
		if me := by.get("/api/me").json()["user"].(object); me["moderator"] != (name == moderator) {
			t.Errorf("%s is told %v", name, me)
		}
	}
}

func TestAModeratorRemovesWithAReasonAndTheOwnerIsTold(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.mod.post(b.order+"/remove", object{"reason": " "}).refuses(http.StatusUnprocessableEntity, "reason")
	b.mod.post(b.order+"/remove", object{"reason": strings.Repeat("é", 501)}).refuses(http.StatusUnprocessableEntity, "reason")
	b.mod.post("/api/orders/999/remove", object{"reason": "x"}).refuses(http.StatusNotFound)
	b.unchanged()

	b.mod.post(b.offer+"/remove", object{"reason": "Sells what he has not got"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	b.mod.post(b.offer+"/remove", object{"reason": "Sells what he has not got"}, "Idempotency-Key", "once").wants(http.StatusNoContent)
	if sent := b.rowan.get("/api/me/offers").json()["offers"].([]any)[0].(object); sent["state"] != "removed" {
		t.Errorf("the seller's record says %v", sent)
	}
	if n := b.rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object); n["kind"] != "offer_removed" || n["message"] != "Sells what he has not got" {
		t.Errorf("the seller is told %v", n)
	}
	b.mod.post(b.order+"/remove", object{"reason": "No such item"}).wants(http.StatusNoContent)
	b.visitor.get(b.order).refuses(http.StatusNotFound)
	told := b.maple.get("/api/me/notices")
	if n := told.json()["notices"].([]any)[0].(object); n["kind"] != "order_removed" || n["message"] != "No such item" || n["orderId"] != nil {
		t.Errorf("the buyer is told %v", n)
	}
	if strings.Contains(string(told.body), moderator) {
		t.Error("the buyer is told who removed it")
	}
	entries := b.mod.get("/api/moderation/audit").json()["entries"].([]any)
	if len(entries) != 2 {
		t.Fatalf("noted %v", entries)
	}
	if e := entries[0].(object); e["action"] != "order_removed" || e["reason"] != "No such item" || e["itemName"] != "Iron Ore" ||
		e["moderator"].(object)["username"] != moderator || e["subject"].(object)["username"] != "maple" {
		t.Errorf("noted %v", e)
	}
}

func TestABlockedUserIsShutOutUntilUnblocked(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	rowans := b.rowan.posts()
	standing := b.maple.offers(rowans)
	block := object{"userId": b.maple.User.ID, "reason": "Floods the board"}
	b.mod.post("/api/moderation/blocks", object{"userId": b.maple.User.ID, "reason": ""}).refuses(http.StatusUnprocessableEntity, "reason")
	b.mod.post("/api/moderation/blocks", object{"userId": 999, "reason": "x"}).refuses(http.StatusNotFound)
	if p := b.mod.post("/api/moderation/blocks", object{"userId": b.mod.User.ID, "reason": "x"}).refuses(http.StatusForbidden); p.Detail != "A moderator cannot be blocked" {
		t.Errorf("refused with %q", p.Detail)
	}
	b.mod.post("/api/moderation/blocks", block).wants(http.StatusNoContent)
	b.mod.post("/api/moderation/blocks", block).refuses(http.StatusConflict)

	if page := b.visitor.get("/api/orders").json(); page["total"] != 1.0 || len(page["orders"].([]any)) != 1 {
		t.Errorf("the board shows %v", page)
	}
	if counts := b.visitor.get("/api/orders/counts").json(); counts["all"] != 1.0 {
		t.Errorf("the chips count %v", counts)
	}
	b.visitor.get(b.order).refuses(http.StatusNotFound)
	b.visitor.get(strings.Replace(b.order, "/api/orders", "/requests", 1) + "/card.png").wants(http.StatusNotFound)
	if r := b.visitor.get(strings.Replace(b.order, "/api/orders", "/requests", 1)); strings.Contains(string(r.body), "Iron Ore") {
		t.Error("its page still unfurls")
	}
	b.visitor.post(b.order+"/report", object{"reason": "x"}).refuses(http.StatusNotFound)
	if hidden := b.mod.get(b.order).json(); hidden["hidden"] != true {
		t.Errorf("a moderator reads %v", hidden)
	}
	if own := b.maple.get("/api/me/orders").json()["orders"].([]any)[0].(object); own["hidden"] != true {
		t.Errorf("the buyer reads %v", own)
	}
	if me := b.maple.get("/api/me").json()["user"].(object); me["blockedFor"] != "Floods the board" {
		t.Errorf("the blocked user is told %v", me)
	}
	b.rowan.post(standing+"/accept", object{"quantity": 1}).refuses(http.StatusNotFound)
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
			if p := try().refuses(http.StatusForbidden); p.Detail != "A moderator has blocked you from trading here" {
				t.Errorf("refused with %q", p.Detail)
			}
		})
	}
	if users := b.mod.get("/api/moderation/blocks").json()["users"].([]any); len(users) != 1 || users[0].(object)["user"].(object)["username"] != "maple" {
		t.Errorf("blocked are %v", users)
	}
	b.mod.delete(fmt.Sprint("/api/moderation/blocks/", b.maple.User.ID)).wants(http.StatusNoContent)
	b.mod.delete(fmt.Sprint("/api/moderation/blocks/", b.maple.User.ID)).refuses(http.StatusConflict)
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
	if p := juniper.post(b.order+"/report", object{"reason": "again"}).refuses(http.StatusConflict); !strings.HasPrefix(p.Detail, "You have reported this already") {
		t.Errorf("refused with %q", p.Detail)
	}
	b.visitor.post(b.order+"/report", object{"reason": "Me, too"}).wants(http.StatusNoContent)
	b.visitor.post(b.order+"/report", object{"reason": ""}).refuses(http.StatusUnprocessableEntity, "reason")
	b.visitor.post("/api/orders/999/report", object{"reason": "x"}).refuses(http.StatusNotFound)
	b.maple.post(b.order+"/report", object{"reason": "x"}).refuses(http.StatusForbidden)
	b.maple.post(b.offer+"/report", object{"reason": "He never came"}).wants(http.StatusNoContent)
	b.visitor.post(b.offer+"/report", object{"reason": "x"}).refuses(http.StatusUnauthorized)
	juniper.post(b.offer+"/report", object{"reason": "x"}).refuses(http.StatusForbidden)

	reports := b.mod.get("/api/moderation/reports").json()["reports"].([]any)
	if len(reports) != 3 {
		t.Fatalf("%d reports wait", len(reports))
	}
	if r := reports[2].(object); r["reporter"].(object)["username"] != "juniper_fox" || r["subject"].(object)["username"] != "maple" || r["reason"] != words {
		t.Errorf("a report reads %v", r)
	}
	if r := reports[1].(object); r["reporter"] != nil {
		t.Errorf("a visitor's report reads %v", r)
	}
	if r := reports[0].(object); r["offer"].(object)["sellerContact"] != "rowan.ashdown" {
		t.Errorf("a report of an offer reads %v", r)
	}

	b.mod.post("/api/moderation/reports/2/dismiss", nil).wants(http.StatusNoContent)
	b.mod.post("/api/moderation/reports/2/dismiss", nil).refuses(http.StatusConflict)
	b.mod.post("/api/moderation/reports/99/dismiss", nil).refuses(http.StatusNotFound)
	b.mod.post(b.order+"/remove", object{"reason": "Not iron"}).wants(http.StatusNoContent)
	if left := b.mod.get("/api/moderation/reports").json()["reports"].([]any); len(left) != 0 {
		t.Errorf("after the removal %v wait", left)
	}
	if own := juniper.get("/api/me/data").wants(http.StatusOK).json()["reports"].([]any); len(own) != 1 || own[0].(object)["reason"] != words || own[0].(object)["state"] != "acted_on" {
		t.Errorf("what is kept about the reporter has %v", own)
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
	address := s.signedIn("maple").posts()
	visitor := s.visitor()
	for range 2 {
		visitor.post(address+"/report", object{"reason": "No such item"}).wants(http.StatusNoContent)
	}
	r := visitor.post(address+"/report", object{"reason": "No such item"})
	r.refuses(http.StatusTooManyRequests)
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
	b.visitor.post(b.offer+"/block-seller", nil).refuses(http.StatusUnauthorized)
	b.rowan.post(b.offer+"/block-seller", nil).refuses(http.StatusForbidden)
	b.maple.post(visitors+"/block-seller", nil).refuses(http.StatusUnprocessableEntity)
	b.maple.post(b.offer+"/block-seller", nil).wants(http.StatusNoContent)
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).refuses(http.StatusNotFound)
	if p := b.rowan.post(other+"/offers", offer()).refuses(http.StatusForbidden); p.Detail != "This buyer takes no offers from you" {
		t.Errorf("refused with %q", p.Detail)
	}
	if sent := b.rowan.get("/api/me/offers").json()["offers"].([]any)[0].(object); sent["state"] != "declined" {
		t.Errorf("the seller's record says %v", sent)
	}
	sellers := b.maple.get("/api/me/blocked-sellers").json()["sellers"].([]any)
	if len(sellers) != 1 || sellers[0].(object)["seller"].(object)["username"] != "rowan.ashdown" {
		t.Errorf("blocked are %v", sellers)
	}
	b.visitor.get("/api/me/blocked-sellers").refuses(http.StatusUnauthorized)
	b.maple.delete(fmt.Sprint("/api/me/blocked-sellers/", b.rowan.User.ID)).wants(http.StatusNoContent)
	b.rowan.post(other+"/offers", offer()).wants(http.StatusCreated)
}
