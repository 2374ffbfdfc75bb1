//go:build unix

package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// standingLasts is for how long offers are accepted automatically: longer than a scene.
const standingLasts = 20 * 24 * time.Hour

// rareRequest is a write that only the people of playRules ask for, as the API takes it.
func (w write) rareRequest() (method, path string, body map[string]any) {
	of := func(format string, id int64) string { return fmt.Sprintf("/api/"+format, id) }
	reason := map[string]any{"reason": "The scene asks for it"}
	switch w.op {
	case opUndoSale:
		return http.MethodPost, of("sales/%d/undo", w.number), nil
	case opUndoClose:
		return http.MethodPost, of("orders/%d/undo-close", w.order), nil
	case opUndoOffer:
		return http.MethodPost, of("offers/%d/undo", w.offer), nil
	case opPutStock:
		return http.MethodPost, "/api/me/stock", map[string]any{
			"stock": []map[string]any{{"itemName": w.subject, "quantity": w.quantity,
				"price": w.price}},
			"confirmPrice": true,
		}
	case opQuietStock:
		return http.MethodPut, of("me/stock/%d/alerts", w.number), map[string]any{"on": false}
	case opDeleteStock:
		return http.MethodDelete, of("me/stock/%d", w.number), nil
	case opSetStanding:
		return http.MethodPut, of("orders/%d/standing", w.order), map[string]any{
			"partners": 1, "fromPartners": 0, "fromOthers": w.quantity,
			"until": time.Now().UTC().Add(standingLasts).Format(time.RFC3339),
		}
	case opEndStanding:
		return http.MethodDelete, of("orders/%d/standing", w.order), nil
	case opPostList:
		var text strings.Builder
		for _, line := range w.lines {
			fmt.Fprintf(&text, "%dx %s %dc\n", line.Quantity, line.Item, line.Price)
		}
		return http.MethodPost, "/api/lists", map[string]any{
			"name": w.name, "text": text.String(), "buyerContact": w.actor.Username(), "confirmPrice": true,
		}
	case opOfferOnList:
		lines := make([]map[string]any, len(w.lines))
		for i, line := range w.lines {
			lines[i] = map[string]any{"orderId": line.Order, "quantity": line.Quantity}
		}
		return http.MethodPost, of("lists/%d/offers", w.number),
			map[string]any{"sellerName": w.name, "message": "I have some", "lines": lines}
	case opBlockSeller:
		return http.MethodPost, of("offers/%d/block-seller", w.offer), nil
	case opUnblockSeller:
		return http.MethodDelete, of("me/blocked-sellers/%d", w.number), nil
	case opBlockUser:
		body := reason
		body["userId"] = w.number
		return http.MethodPost, "/api/moderation/blocks", body
	case opUnblockUser:
		return http.MethodDelete, of("moderation/blocks/%d", w.number), nil
	case opRemoveOrder:
		return http.MethodPost, of("orders/%d/remove", w.order), reason
	case opRemoveOffer:
		return http.MethodPost, of("offers/%d/remove", w.offer), reason
	case opMergeItem:
		return http.MethodPost, of("moderation/items/%d/merge", w.number), map[string]any{"into": w.into}
	case opConfirmItem:
		return http.MethodPost, of("moderation/items/%d/confirm", w.number), nil
	case opVouch:
		return http.MethodPost, "/api/moderation/vouches", map[string]any{"userId": w.number}
	case opUnwatch:
		return http.MethodDelete, of("me/watches/%d", w.number), nil
	case opUndoRemoval:
		return http.MethodPost, of("moderation/audit/%d/undo", w.number), nil
	case opTakeBack:
		return http.MethodPost, "/api/handovers/take-back", map[string]any{"sales": w.sales}
	case opLook:
		return http.MethodPost, of("moderation/disputes/%d/look", w.number), nil
	case opSettle:
		return http.MethodPost, of("moderation/disputes/%d/settle", w.number), map[string]any{
			"met": w.word == "met", "against": "nobody", "reason": "The scene asks for it",
		}
	}
	panic("no such write: " + string(w.op))
}
