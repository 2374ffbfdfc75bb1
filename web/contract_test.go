package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/web"
)

// contract is the served description, against which every answer of every test here is held.
type contract struct {
	document object
	paths    []path
	problem  object          // the response that describes every error
	errors   map[string]bool // the statuses that it names
	schemas  sync.Map        // pointer → *jsonschema.Schema
	mu       sync.Mutex
	compiler *jsonschema.Compiler
}

// path is an address of the description.
type path struct {
	template string
	match    *regexp.Regexp
	methods  object
}

var namedStatus = regexp.MustCompile(`- (\d{3}): `)

var pathParameter = regexp.MustCompile(`\\\{\w+\\\}`) // as QuoteMeta writes it

var promised = sync.OnceValues(func() (*contract, error) {
	text, err := web.OpenAPI()
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := &contract{document: parsed.(object), errors: map[string]bool{}, compiler: jsonschema.NewCompiler()}
	c.compiler.AssertFormat()
	if err := c.compiler.AddResource("openapi.json", parsed); err != nil {
		return nil, err
	}
	c.problem = c.document["components"].(object)["responses"].(object)["Problem"].(object)
	for _, named := range namedStatus.FindAllStringSubmatch(c.problem["description"].(string), -1) {
		c.errors[named[1]] = true
	}
	for template, methods := range c.document["paths"].(object) {
		pattern := "^" + pathParameter.ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$"
		c.paths = append(c.paths, path{template, regexp.MustCompile(pattern), methods.(object)})
	}
	// An address without a parameter is meant before one with.
	slices.SortFunc(c.paths, func(a, b path) int { return strings.Count(a.template, "{") - strings.Count(b.template, "{") })
	return c, nil
})

// operation finds what the description says of a call.
func (c *contract) operation(method, address string) (pointer string, operation object) {
	address, _, _ = strings.Cut(address, "?")
	for _, p := range c.paths {
		if !p.match.MatchString(address) {
			continue
		}
		verb := strings.ToLower(method)
		if verb == "head" {
			verb = "get"
		}
		if found, ok := p.methods[verb].(object); ok {
			return "/paths/" + strings.ReplaceAll(p.template, "/", "~1") + "/" + verb, found
		}
		return "", nil
	}
	return "", nil
}

func (c *contract) validate(pointer string, text []byte) error {
	schema, ok := c.schemas.Load(pointer)
	if !ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		compiled, err := c.compiler.Compile("openapi.json#" + pointer)
		if err != nil {
			return err
		}
		schema, _ = c.schemas.LoadOrStore(pointer, compiled)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.(*jsonschema.Schema).Validate(value)
}

// keeps checks that an answer is one that the description promises, and that what was accepted is what it asks for.
func (r *reply) keeps(method, address string, sent []byte) {
	r.t.Helper()
	c, err := promised()
	must(r.t, err)
	pointer, operation := c.operation(method, address)
	if operation == nil || r.status == http.StatusMethodNotAllowed || r.status == http.StatusRequestHeaderFieldsTooLarge {
		return // the description speaks of what there is
	}
	status := fmt.Sprint(r.status)
	answer := pointer + "/responses/" + status
	response, ok := operation["responses"].(object)[status].(object)
	if !ok && c.errors[status] {
		answer, response, ok = "/components/responses/Problem", c.problem, true
	}
	if !ok {
		r.t.Errorf("%s answered %s, of which the description says nothing", r.asked, status)
		return
	}
	if method == http.MethodHead || r.header.Get("Content-Encoding") != "" {
		return
	}
	content, _ := response["content"].(object)
	if content == nil {
		if len(r.body) != 0 && !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
			r.t.Errorf("%s answered %s with a body", r.asked, status)
		}
		return
	}
	kind, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	must(r.t, err)
	if content[kind] == nil {
		r.t.Errorf("%s answered %s as %s, promised is one of %v", r.asked, status, kind, slices.Collect(maps.Keys(content)))
		return
	}
	if !strings.HasSuffix(kind, "json") {
		return // a schema says nothing of it
	}
	schema := answer + "/content/" + strings.ReplaceAll(kind, "/", "~1") + "/schema"
	if err := c.validate(schema, r.body); err != nil {
		r.t.Errorf("%s answered %s, which is not as promised: %v", r.asked, r.body, err)
	}
	if len(sent) > 0 && r.status < 300 && operation["requestBody"] != nil {
		if err := c.validate(pointer+"/requestBody/content/application~1json/schema", sent); err != nil {
			r.t.Errorf("%s accepted %s, which is not as described: %v", r.asked, sent, err)
		}
	}
}

func TestEveryRouteKeepsItsPromise(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	spare := b.maple.posts()
	back := b.discord.Player(t, "oldtamsin")
	tamsin := b.site.visitor()
	mod, blocked := b.mod, b.signedIn("juniper_fox")
	second := b.maple.posts()
	dealt := b.maple.posts()
	sale := b.maple.post(dealt+"/sales", object{"quantitySold": 2}).wants(http.StatusOK).at("/api/sales/", "sale", "id")
	declined := b.rowan.offers(dealt)
	b.maple.delete(declined)
	_, link := b.visitor.linked(dealt)
	reported, unwanted := blocked.offers(second), blocked.offers(b.maple.posts())

	search := b.maple.post("/api/me/searches", object{"name": "Ores", "category": []string{"Miner"}})
	address := search.at("/api/me/searches/", "id")
	posted := b.maple.post("/api/lists", list())
	listed := posted.at("/api/lists/", "id")
	items, err := items.ReadRows([]byte("name,made_by,made_at_level\nIron Ore,Miner,20\n"), coretest.Forms)
	must(t, err)
	_, err = b.market.Items.Import(t.Context(), items, false)
	must(t, err)
	for _, name := range []string{"Moon Pearl", "Irn Ore", "Nothing"} {
		b.asksFor(name)
	}
	stocked := b.maple.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 600, "price": 4000, "note": "Docks", "public": true}}})
	forSale := stocked.json()["stock"].([]any)[0].(object)["id"]
	asked := b.rowan.post(fmt.Sprint("/api/listings/", forSale, "/asks"), object{"quantity": 4})
	asks := b.rowan.get("/api/me/asks")
	askedFor := asks.json()["asks"].([]any)[0].(object)["id"]
	deal := func() any {
		return b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
	}
	traded, contested, mistaken := deal(), deal(), deal()
	b.rowan.post("/api/handovers/say", object{"sales": []any{mistaken}, "word": "met"}).wants(http.StatusOK)
	b.maple.post("/api/handovers/say", object{"sales": []any{mistaken}, "word": "not_met"}).wants(http.StatusOK)
	b.rowan.post("/api/handovers/say", object{"sales": []any{contested}, "word": "met"}).wants(http.StatusOK)
	b.maple.post("/api/handovers/say", object{"sales": []any{contested}, "word": "not_met"}).wants(http.StatusOK)
	b.rowan.post("/api/me/watches", object{"q": "iron"}).wants(http.StatusCreated)
	b.maple.posts()
	_, err = b.market.Match.AlertWatchers(t.Context(), 100)
	must(t, err)
	alert := fmt.Sprint(b.rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object)["id"])
	has := b.rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 5, "price": 1}}, "confirmPrice": true})
	b.clock.forward(time.Second)
	mod.posts()
	_, err = b.market.Match.AlertWatchers(t.Context(), 100)
	must(t, err)
	stockAlert := fmt.Sprint("/api/me/notices/", b.rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object)["id"])
	watch := b.maple.post("/api/me/watches", object{"q": "oak", "category": []string{"Miner"}, "way": "digest", "pause": 60})
	watched := watch.at("/api/me/watches/", "id")
	meeting, everyHour := b.clock.now().Add(2*time.Hour).Truncate(time.Minute), []int{}
	for hour := range 168 {
		everyHour = append(everyHour, hour)
	}
	b.rowan.put("/api/me/hours", object{"hours": everyHour}).wants(http.StatusOK)
	walked := map[string]*reply{
		"list-public-orders":    b.visitor.get("/api/public/orders"),
		"list-public-items":     b.visitor.get("/api/public/catalogue"),
		"list-public-listings":  b.visitor.get("/api/public/listings"),
		"list-public-prices":    b.visitor.get("/api/public/prices"),
		"get-price-history":     b.visitor.get("/api/public/prices/history"),
		"get-price-history-csv": b.visitor.get("/api/public/prices/history.csv"),
		"list-public-changes":   b.visitor.get("/api/public/changes"),
		"get-public-wanted":     b.visitor.get("/api/public/wanted"),
		"get-public-rules":      b.visitor.get("/api/public/rules"),
		"feed-requests-atom":    b.visitor.get("/requests.atom"),
		"feed-requests-csv":     b.visitor.get("/requests.csv"),
		"feed-requests-json":    b.visitor.get("/requests.json"),
		"feed-item-atom":        b.visitor.get("/items/1.atom"),
		"feed-item-csv":         b.visitor.get("/items/1.csv"),
		"feed-item-json":        b.visitor.get("/items/1.json"),
		"feed-requests-html":    b.visitor.get("/embed"),
		"feed-item-html":        b.visitor.get("/embed/items/1"),
		"list-watches":          b.maple.get("/api/me/watches"),
		"add-watch":             watch,
		"try-watch":             b.maple.post("/api/me/watches/try", object{"items": []int{1}, "minQuantity": 5}),
		"put-watch":             b.maple.put(watched, object{"q": "bar", "way": "inbox"}),
		"pause-watch":           b.maple.post(watched+"/pause", object{"paused": true}),
		"snooze-watch":          b.maple.post(watched+"/snooze", object{"for": "tomorrow"}),
		"delete-watch":          b.maple.delete(b.maple.post("/api/me/watches", object{"q": "logs"}).at("/api/me/watches/", "id")),
		"mute-buyer":            b.rowan.post("/api/me/notices/"+alert+"/mute-buyer", nil),
		"unmute-buyer":          b.rowan.delete(fmt.Sprint("/api/me/muted-buyers/", b.maple.User.ID)),
		"count-audience":        b.maple.post("/api/orders/audience", order(object{"quantity": 77})),
		"list-handovers":        b.maple.get("/api/me/handovers"),
		"get-trade":             b.maple.get(fmt.Sprint("/api/me/trades/", traded)),
		"get-slip":              b.maple.get(fmt.Sprint("/api/me/slips/", b.rowan.User.ID)),
		"put-meeting-place":     b.rowan.put(fmt.Sprintf("/api/me/slips/%d/place", b.maple.User.ID), object{"place": "By the fountain"}),
		"put-in-game-name":      b.maple.put("/api/me/in-game-name", object{"inGameName": "Maple#1234"}),
		"put-play-hours":        b.maple.put("/api/me/hours", object{"hours": everyHour}),
		"put-learning":          b.maple.put("/api/me/hours/learning", object{"learns": true}),
		"get-play-hours":        b.maple.get("/api/me/hours"),
		"choose-meeting":        b.maple.put(fmt.Sprintf("/api/handovers/%v/meeting", traded), object{"at": meeting}),
		"accept-meeting":        b.rowan.post(fmt.Sprintf("/api/handovers/%v/meeting/accept", traded), object{"at": meeting}),
		"propose-meeting":       b.rowan.post(fmt.Sprintf("/api/handovers/%v/meeting/next", traded), object{"instead": meeting}),
		"erase-play-hours":      b.maple.delete("/api/me/hours"),
		"put-language":          b.maple.put("/api/me/language", object{"language": "de"}),
		"agree-handover":        b.maple.post(fmt.Sprintf("/api/handovers/%v/agree", traded), object{"agreedBy": b.clock.now()}),
		"postpone-handovers":    b.rowan.post("/api/handovers/later", object{"sales": []any{traded}}),
		"say-handovers":         b.rowan.post("/api/handovers/say", object{"sales": []any{traded}, "word": "met"}),
		"take-back-words":       b.maple.post("/api/handovers/take-back", object{"sales": []any{mistaken}}),
		"list-disputes":         mod.get("/api/moderation/disputes"),
		"look-at-dispute":       mod.post(fmt.Sprintf("/api/moderation/disputes/%v/look", contested), nil),
		"settle-dispute":        mod.post(fmt.Sprintf("/api/moderation/disputes/%v/settle", contested), object{"met": true, "against": "seller", "reason": "Both logs say so"}),
		"list-items":            b.visitor.get("/api/catalogue?q=iron&profession=Miner&level=20&limit=5"),
		"complete-items":        b.visitor.get("/api/catalogue/completions?q=iron%20or"),
		"get-item":              b.visitor.get("/api/catalogue/1"),
		"post-list":             posted,
		"fix-list":              b.maple.post("/api/lists/fixes", object{"text": "5 Oak Log"}),
		"preview-list":          b.maple.post("/api/lists/preview", list(object{"text": "5 Oak Log 3s"})),
		"get-list":              b.visitor.get(listed),
		"get-list-for-sale":     b.visitor.get(listed + "/for-sale"),
		"offer-on-list":         b.rowan.post(listed+"/offers", object{"sellerName": "Rowan", "message": "Tonight", "lines": []object{{"orderId": posted.json()["orders"].([]any)[0].(object)["id"], "quantity": 5}}}),
		"list-records":          b.visitor.get("/api/traders?user=1&user=2"),
		"get-trader":            b.visitor.get("/api/traders/1"),
		"get-terms":             b.maple.get(second + "/terms"),
		"put-standing":          b.maple.put(second+"/standing", object{"sellers": "trusted", "fromPartners": 200, "fromOthers": 50, "until": "2026-05-03T12:00:00Z"}),
		"end-standing":          b.maple.delete(second + "/standing"),
		"put-least-record":      b.maple.put(second+"/least-record", object{"sellers": "met", "newUpTo": 50}),
		"remove-least-record":   b.maple.delete(second + "/least-record"),
		"list-my-lists":         b.maple.get("/api/me/lists"),
		"list-orders":           b.visitor.get("/api/orders?itemId=1&category=Miner&q=iron&importance=medium&level=500&minPrice=1&maxPrice=999&sort=price&limit=5"),
		"count-orders":          b.visitor.get("/api/orders/counts?q=iron"),
		"suggest-items":         b.visitor.get("/api/items?q=iron"),
		"post-order":            b.maple.post("/api/orders", order(object{"ign": "Maple", "levelRequirement": 5})),
		"get-order":             b.maple.get(b.order),
		"edit-order":            b.maple.patch(b.order, object{"version": 1, "ign": nil, "description": "Better grade"}),
		"close-order":           b.maple.post(spare+"/close", nil),
		"undo-close":            b.maple.post(spare+"/undo-close", nil),
		"renew-order":           b.maple.post(b.order+"/renew", nil),
		"delete-order":          b.maple.delete(spare),
		"list-offers":           b.maple.get(b.order + "/offers"),
		"send-offer":            b.visitor.post(b.order+"/offers", offer()),
		"get-offer-link":        b.visitor.get(link),
		"withdraw-linked-offer": b.visitor.delete(link),
		"accept-offer":          b.maple.post(b.offer+"/accept", object{"quantity": 3}),
		"list-sales":            b.maple.get(b.order + "/sales"),
		"log-sale":              b.maple.post(b.order+"/sales", object{"quantitySold": 2, "notes": "At the docks"}),
		"undo-sale":             b.maple.post(sale+"/undo", nil),
		"undo-offer":            b.maple.post(declined+"/undo", nil),
		"delete-offer":          b.rowan.delete(b.offer),
		"undo":                  b.rowan.post("/api/undo/offer/"+strings.TrimPrefix(b.offer, "/api/offers/"), nil),
		"get-me":                b.maple.get("/api/me"),
		"get-address":           b.visitor.get("/api/address"),
		"list-my-orders":        b.maple.get("/api/me/orders?status=fulfilled"),
		"list-my-offers":        b.rowan.get("/api/me/offers"),
		"get-skills":            b.maple.get("/api/me/skills"),
		"put-skills":            b.maple.put("/api/me/skills", object{"skills": []object{{"category": "Miner", "level": 5}}}),
		"list-saved":            b.maple.get("/api/me/saved"),
		"give-bell":             b.maple.post(b.maple.post("/api/me/searches", object{"name": "Bells", "q": "bell"}).at("/api/me/searches/", "id")+"/bell", nil),
		"list-searches":         b.maple.get("/api/me/searches"),
		"add-search":            search,
		"put-search":            b.maple.put(address, object{"name": "Bars", "q": "bar", "category": []string{"Chef"}}),
		"delete-search":         b.maple.delete(b.maple.post("/api/me/searches", object{"name": "Logs"}).at("/api/me/searches/", "id")),
		"list-listings":         b.visitor.get("/api/listings"),
		"list-my-listings":      b.maple.get("/api/me/listings"),
		"ask-for-listing":       asked,
		"report-listing":        b.visitor.post(fmt.Sprint("/api/listings/", forSale, "/report"), object{"reason": "No such item"}),
		"list-my-asks":          asks,
		"answer-ask":            b.maple.post(fmt.Sprint("/api/me/asks/", askedFor, "/answer"), object{"accept": 3}),
		"plan-list":             b.rowan.post("/api/lists/plan", object{"text": "6x Iron Ore 9s\n2x Oak Log\nnothing", "prefer": "people", "without": []int{99}, "edits": []object{{"number": 2, "quantity": 3, "request": true}}}),
		"post-plan":             b.rowan.post("/api/lists/planned", object{"name": "Mine", "buyerContact": "rowan", "lines": []object{{"itemName": "Iron Ore", "listingId": forSale, "quantity": 2, "price": 4000}, {"itemName": "Oak Log", "quantity": 3, "price": 3000}}}),
		"list-stock":            b.maple.get("/api/me/stock"),
		"save-stock":            stocked,
		"delete-stock":          b.maple.delete(fmt.Sprint("/api/me/stock/", stocked.json()["stock"].([]any)[0].(object)["id"])),
		"confirm-stock":         b.rowan.post("/api/me/stock/confirm", nil),
		"read-stock-lines":      b.rowan.post("/api/me/stock/read", object{"lines": "Iron Ore 600 4s"}),
		"list-fillable":         b.rowan.get("/api/me/fill"),
		"browse-fillable":       b.visitor.get("/api/orders/fillable?skill=Miner:50&category=Miner&limit=5"),
		"snooze-stock":          b.rowan.post(stockAlert+"/snooze-stock", object{"for": "hour"}),
		"stop-stock":            b.rowan.post(stockAlert+"/stop-stock", nil),
		"alert-stock":           b.rowan.put(fmt.Sprint("/api/me/stock/", has.json()["stock"].([]any)[0].(object)["id"], "/alerts"), object{"on": true}),
		"get-wanted":            b.visitor.get("/api/wanted"),
		"sum-stock":             b.maple.get("/api/stock?itemName=Iron%20Ore&maxPrice=5000"),
		"get-item-stock":        b.maple.get("/api/catalogue/1/stock"),
		"list-receipts":         b.maple.get("/api/me/receipts"),
		"list-received-offers":  b.maple.get("/api/me/offers/received"),
		"answer-offers":         b.maple.post("/api/offers/answer", object{"answers": []object{{"id": 999, "accept": 1}}}),
		"list-my-open-offers":   b.rowan.get("/api/me/offers/open"),
		"get-ready-offers":      b.rowan.get("/api/me/offers/ready"),
		"get-my-offer":          b.rowan.get(b.order + "/my-offer"),
		"get-my-data":           b.rowan.get("/api/me/data"),
		"list-notices":          b.rowan.get("/api/me/notices"),
		"read-notices":          b.rowan.post("/api/me/notices/read", object{"upTo": 1}),
		"get-notice-settings":   b.rowan.get("/api/me/notices/settings"),
		"put-notice-settings":   b.rowan.put("/api/me/notices/settings", object{"kinds": object{"order_filled": false}, "quietFrom": "22:00", "quietTo": "07:00", "timeZone": "UTC"}),
		"send-test-notice":      b.rowan.post("/api/me/notices/test", nil),
		"report-order":          b.visitor.post(b.order+"/report", object{"reason": "No such item"}),
		"report-offer":          b.maple.post(reported+"/report", object{"reason": "He never came"}),
		"list-reports":          mod.get("/api/moderation/reports"),
		"dismiss-report":        mod.post("/api/moderation/reports/1/dismiss", nil),
		"remove-offer":          mod.post(reported+"/remove", object{"reason": "A cheat"}),
		"remove-order":          mod.post(b.maple.posts()+"/remove", object{"reason": "No such item"}),
		"remove-listing":        mod.post(b.rowan.sells("Oak Log", 20, 9)+"/remove", object{"reason": "No such item"}),
		"block-seller":          b.maple.post(unwanted+"/block-seller", nil),
		"list-blocked-sellers":  b.maple.get("/api/me/blocked-sellers"),
		"block-user":            mod.post("/api/moderation/blocks", object{"userId": blocked.User.ID, "reason": "Floods the board"}),
		"list-blocks":           mod.get("/api/moderation/blocks"),
		"get-item-prices":       b.visitor.get("/api/catalogue/1/prices?step=day"),
		"get-item-odds":         b.visitor.get("/api/catalogue/1/odds"),
		"list-candidates":       mod.get("/api/moderation/vouches"),
		"set-aside":             mod.post("/api/moderation/rings", object{"proposal": b.propose(b.maple)}),
		"dismiss-ring":          mod.delete(fmt.Sprint("/api/moderation/rings/proposals/", b.propose(b.rowan))),
		"list-rings":            mod.get("/api/moderation/rings"),
		"count-again":           mod.delete("/api/moderation/rings/1"),
		"vouch":                 mod.post("/api/moderation/vouches", object{"userId": b.maple.User.ID}),
		"stop-reach":            mod.post("/api/moderation/reach", object{"userId": b.maple.User.ID}),
		"list-reach":            mod.get("/api/moderation/reach"),
		"allow-reach":           mod.delete(fmt.Sprint("/api/moderation/reach/", b.maple.User.ID)),
		"unblock-user":          mod.delete(fmt.Sprint("/api/moderation/blocks/", blocked.User.ID)),
		"get-rules":             b.visitor.get("/api/rules"),
		"require-sign-in":       mod.post("/api/moderation/signed-in-only", object{"reason": "A flood of offers"}),
		"allow-visitors":        mod.delete("/api/moderation/signed-in-only"),
		"get-operation":         mod.get("/api/operation"),
		"list-audit":            mod.get("/api/moderation/audit"),

		"list-provisional-items":     mod.get("/api/moderation/items"),
		"confirm-item":               mod.post("/api/moderation/items/2/confirm", nil),
		"merge-item":                 mod.post("/api/moderation/items/3/merge", object{"into": 1}),
		"ignore-item":                mod.post("/api/moderation/items/4/ignore", nil),
		"undo-removal":               mod.post("/api/moderation/audit/6/undo", nil),
		"unblock-seller":             b.maple.delete(fmt.Sprint("/api/me/blocked-sellers/", blocked.User.ID)),
		"make-token":                 b.rowan.post("/api/me/tokens", object{"name": "Bot", "scopes": []string{"read"}, "days": 30}),
		"list-tokens":                b.rowan.get("/api/me/tokens"),
		"end-token":                  b.rowan.delete("/api/me/tokens/1"),
		"make-webhook":               b.rowan.post("/api/me/webhooks", object{"url": "http://127.0.0.1:9/", "types": []string{"offer.received"}}),
		"make-market-webhook":        mod.post("/api/moderation/webhooks", object{"url": "http://127.0.0.1:9/", "types": []string{"order.changed"}}),
		"list-webhooks":              b.rowan.get("/api/me/webhooks"),
		"list-market-webhooks":       mod.get("/api/moderation/webhooks"),
		"list-deliveries":            b.rowan.get("/api/webhooks/1/deliveries"),
		"replace-webhook-secret":     b.rowan.post("/api/webhooks/1/secret", nil),
		"send-again":                 b.switched("on").post("/api/webhooks/1/deliveries/2/again", nil),
		"switch-webhook-on":          b.switched("off").post("/api/webhooks/1/on", nil),
		"end-webhook":                b.rowan.delete("/api/webhooks/1"),
		"let-programs-trade":         mod.post("/api/moderation/programs-trade", nil),
		"keep-programs-from-trading": mod.delete("/api/moderation/programs-trade"),
		"list-sessions":              b.rowan.get("/api/me/sessions"),
		"end-session":                b.rowan.delete("/api/me/sessions/AAAA"),
		"cancel-leaving":             b.rowan.post("/api/me/cancel-leaving", nil),
		"end-sessions":               b.rowan.delete("/api/me/sessions"),
		"allow-order-names":          mod.post(b.posesAsMaple()+"/allow-names", nil),
		"allow-offer-names":          mod.post(b.offersAsMaple()+"/allow-names", nil),
		"leave":                      b.rowan.signsIn("rowan.ashdown").delete("/api/me"),
		"begin-sign-in":              b.visitor.get("/auth/discord?return=/mine"),
		"finish-sign-in":             tamsin.get(back.Authorize(tamsin.begin("/").String()).RequestURI()),
		"sign-out":                   tamsin.post("/auth/sign-out", nil),
		"healthz":                    b.visitor.get("/healthz"),
		"readyz":                     b.visitor.get("/readyz"),
	}
	for name, r := range walked {
		if r.status >= 400 {
			t.Errorf("%s was refused: %d %s", name, r.status, r.body)
		}
	}
	b.visitor.listens()
	walked["events"] = nil

	c, err := promised()
	must(t, err)
	for _, p := range c.paths {
		for verb, operation := range p.methods {
			id := operation.(object)["operationId"].(string)
			if _, ok := walked[id]; !ok {
				t.Errorf("%s (%s %s) was not walked", id, verb, p.template)
			}
			delete(walked, id)
		}
	}
	for id := range walked {
		t.Errorf("%s is not in the description", id)
	}
}

func TestTheDescriptionIsServedAndComplete(t *testing.T) {
	t.Parallel()
	s := open(t)
	served := s.visitor().get("/api/openapi.json").wants(http.StatusOK)
	written, err := web.OpenAPI()
	must(t, err)
	written = bytes.Replace(written, []byte(`"url": "/"`), []byte(`"url": "`+s.url+`"`), 1) // the address of this market
	if !bytes.Equal(served.body, written) {
		t.Error("what is served is not what is written to the dashboard")
	}
	again, _ := web.OpenAPI()
	if again = bytes.Replace(again, []byte(`"url": "/"`), []byte(`"url": "`+s.url+`"`), 1); !bytes.Equal(again, written) {
		t.Error("the description is not the same twice")
	}
	c, err := promised()
	must(t, err)
	if c.document["openapi"] != "3.1.0" {
		t.Errorf("OpenAPI %v", c.document["openapi"])
	}
	var refs func(where string, v any)
	refs = func(where string, v any) {
		switch v := v.(type) {
		case object:
			if ref, ok := v["$ref"].(string); ok {
				kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
				if kinds, _ := c.document["components"].(object)[kind].(object); kinds[name] == nil {
					t.Errorf("%s refers to %s, which is not there", where, ref)
				}
			}
			for k, below := range v {
				refs(where+"/"+k, below)
			}
		case []any:
			for _, below := range v {
				refs(where, below)
			}
		}
	}
	refs("", c.document)
	schemas := c.document["components"].(object)["schemas"].(object)
	for name, schema := range schemas {
		if strings.HasSuffix(name, "View") || strings.Contains(name, "Body") || strings.Contains(name, "Response") {
			t.Errorf("%s is no name for a schema", name)
		}
		if err := c.validate("/components/schemas/"+url.PathEscape(name), []byte(`null`)); err == nil {
			t.Errorf("%s may be anything", name)
		}
		properties, _ := schema.(object)["properties"].(object)
		for field, of := range properties {
			if examples, ok := of.(object)["examples"].([]any); ok {
				text, err := json.Marshal(examples[0])
				must(t, err)
				if err := c.validate("/components/schemas/"+name+"/properties/"+field, text); err != nil {
					t.Errorf("the example of %s.%s is none: %v", name, field, err)
				}
			}
		}
	}
	for _, p := range c.paths {
		for verb, operation := range p.methods {
			o := operation.(object)
			if o["summary"] == "" || len(o["tags"].([]any)) != 1 {
				t.Errorf("%s %s has no summary or not one tag", verb, p.template)
			}
			if verb != "get" && strings.HasPrefix(p.template, "/api/") && !strings.Contains(fmt.Sprint(o["parameters"]), "Idempotency-Key") {
				t.Errorf("%s %s takes no key", verb, p.template)
			}
		}
	}
}
