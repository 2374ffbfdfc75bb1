package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/web"
)

// board is a market with one of everything, for input that must be rejected.
type board struct {
	*site
	maple, rowan, visitor *browser
	mod                   *browser // keeps the market in order
	order, offer          string   // addresses
}

func openBoard(t *testing.T, change ...func(*web.Options)) *board {
	t.Helper()
	b := &board{site: open(t, change...)}
	b.maple, b.rowan, b.visitor = b.signedIn("maple"), b.signedIn("rowan.ashdown"), b.site.visitor()
	b.mod = b.signedIn(moderator)
	b.order = b.maple.posts()
	b.offer = b.rowan.offers(b.order)
	return b
}

// unchanged fails the test when anything of the one order or its offer has moved, or anything was added.
func (b *board) unchanged() {
	b.t.Helper()
	o := b.maple.get(b.order).wants(http.StatusOK).json()
	if o["version"] != 1.0 || o["sold"] != 0.0 || o["offerCount"] != 1.0 {
		b.t.Errorf("something was half saved: %v", o)
	}
	if page := b.visitor.get("/api/orders").json(); page["total"] != 1.0 {
		b.t.Errorf("the board has %v requests, want 1", page["total"])
	}
}

// writes are all calls that take a body, each with a body that is right.
func (b *board) writes() map[string]func(body any, headers ...string) *reply {
	return map[string]func(any, ...string) *reply{
		"post a request": func(body any, h ...string) *reply { return b.maple.post("/api/orders", body, h...) },
		"edit a request": func(body any, h ...string) *reply { return b.maple.patch(b.order, body, h...) },
		"send an offer":  func(body any, h ...string) *reply { return b.visitor.post(b.order+"/offers", body, h...) },
		"accept an offer": func(body any, h ...string) *reply {
			return b.maple.post(b.offer+"/accept", body, h...)
		},
		"log a sale":       func(body any, h ...string) *reply { return b.maple.post(b.order+"/sales", body, h...) },
		"read notices":     func(body any, h ...string) *reply { return b.maple.post("/api/me/notices/read", body, h...) },
		"report a request": func(body any, h ...string) *reply { return b.visitor.post(b.order+"/report", body, h...) },
		"report an offer":  func(body any, h ...string) *reply { return b.maple.post(b.offer+"/report", body, h...) },
		"remove a request": func(body any, h ...string) *reply { return b.mod.post(b.order+"/remove", body, h...) },
		"remove an offer":  func(body any, h ...string) *reply { return b.mod.post(b.offer+"/remove", body, h...) },
		"block a user":     func(body any, h ...string) *reply { return b.mod.post("/api/moderation/blocks", body, h...) },
		"choose what is sent": func(body any, h ...string) *reply {
			return b.maple.put("/api/me/notices/settings", body, h...)
		},
	}
}

// Class 1: coins. The interface takes prices in copper; the shapes that people type are the core's to read.
func TestInvalidPrices(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, price := range map[string]string{
		"as people type it":         `"1p 500g"`,
		"digits of another script":  `"٣٤٥"`,
		"nothing":                   `0`,
		"negative":                  `-250`,
		"a fraction":                `2.5`,
		"an exponent":               `25e1`,
		"one more than the most":    `1000000000000`,
		"more than 64 bits":         `18446744073709551616`,
		"hundreds of digits":        strings.Repeat("9", 400),
		"less than 64 bits":         `-9223372036854775809`,
		"what a total overflows at": `9223372036854775807`,
		"null":                      `null`,
		"a list":                    `[250]`,
		"a switch":                  `true`,
	} {
		b.run(name, func(t *testing.T) {
			body := strings.Replace(`{"itemName":"Iron Ore","quantity":1000000,"buyerContact":"maple","maxPricePerUnit":PRICE}`, "PRICE", price, 1)
			b.maple.post("/api/orders", body).wantsProblem(http.StatusUnprocessableEntity, "maxPricePerUnit")
			edit := fmt.Sprintf(`{"version":1,"maxPricePerUnit":%s}`, price)
			b.maple.patch(b.order, edit).wantsProblem(http.StatusUnprocessableEntity, "maxPricePerUnit")
		})
	}
	b.unchanged()
}

func TestTheDearestTotalIsExact(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	o := maple.post("/api/orders", order(object{"quantity": core.MaxQuantity, "maxPricePerUnit": int64(core.MaxPrice)})).wants(http.StatusCreated).json()
	if o["totalValue"] != "999999999999000000" || o["remainingValue"] != "999999999999000000" {
		t.Errorf("total %v, remaining %v", o["totalValue"], o["remainingValue"])
	}
}

// Class 2: numbers.
func TestInvalidQuantities(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, number := range map[string]string{
		"zero": `0`, "negative": `-1`, "fractional": `1.5`, "whole, but written as a fraction": `1.0`, "an exponent": `1e3`,
		"a small exponent": `1E-3`, "textual": `"5"`, "huge": `1e400`, "hundreds of digits": strings.Repeat("7", 300), "null": `null`,
		"a list": `[1]`, "an object": `{"$gt":0}`, "true": `true`, "minus nothing": `-0`,
	} {
		b.run(name, func(t *testing.T) {
			for what, call := range map[string]struct {
				body, field string
				send        func(body any, headers ...string) *reply
			}{
				"post":   {`{"itemName":"Iron Ore","maxPricePerUnit":5,"buyerContact":"maple","quantity":#}`, "quantity", b.writes()["post a request"]},
				"edit":   {`{"version":1,"quantity":#}`, "quantity", b.writes()["edit a request"]},
				"offer":  {`{"sellerName":"Fern","sellerContact":"fern","message":"Here","quantityOffered":#}`, "quantityOffered", b.writes()["send an offer"]},
				"accept": {`{"quantity":#}`, "quantity", b.writes()["accept an offer"]},
				"sell":   {`{"quantitySold":#}`, "quantitySold", b.writes()["log a sale"]},
			} {
				r := call.send(strings.Replace(call.body, "#", number, 1))
				p := r.wantsProblem(http.StatusUnprocessableEntity, call.field)
				if strings.ContainsAny(number, `.eE"[{t`) && number != "null" && !strings.HasSuffix(p.Errors[call.field], "must be a whole number") {
					t.Errorf("%s: %q does not say what a quantity is", what, p.Errors[call.field])
				}
			}
		})
	}
	b.maple.post(b.offer+"/accept", object{}).wantsProblem(http.StatusUnprocessableEntity, "quantity")
	b.maple.post(b.order+"/sales", object{}).wantsProblem(http.StatusUnprocessableEntity, "quantitySold")
	for _, level := range []string{"0", "501", "-1", `"120"`, "1.5"} {
		b.maple.patch(b.order, `{"version":1,"levelRequirement":`+level+`}`).wantsProblem(http.StatusUnprocessableEntity, "levelRequirement")
	}
	b.unchanged()
}

// Class 3: text.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, text := range map[string]string{
		"nothing":                   ``,
		"blank":                     ` \t\n `,
		"invisible":                 `\u200b\u2060\ufeff\u00ad`,
		"wide and thin blanks":      `\u3000\u2003\u00a0`,
		"fillers":                   `\u3164\u115f\u2800`,
		"directions":                `\u202e\u2066\u2069`,
		"too long":                  strings.Repeat("a", 2000),
		"too long in bytes of four": strings.Repeat("𝔞", 2000),
		"only NUL":                  `\u0000`,
		"NUL within":                `Iron\u0000Ore`,
		"half a character":          `Iron \ud83d Ore`,
		"halves the wrong way":      `\udc00\ud800`,
		"half at the end":           `Ore\ud83d`,
		"half before a line feed":   `\ud83d\nOre`,
	} {
		b.run(name, func(t *testing.T) {
			b.maple.post("/api/orders", `{"quantity":5,"maxPricePerUnit":5,"itemName":"`+text+`","buyerContact":"`+text+`"}`).
				wantsProblem(http.StatusUnprocessableEntity, "itemName", "buyerContact")
			b.visitor.post(b.order+"/offers", `{"quantityOffered":5,"sellerName":"`+text+`","sellerContact":"`+text+`","message":"`+text+`"}`).
				wantsProblem(http.StatusUnprocessableEntity, "sellerName", "sellerContact", "message")
		})
	}
	for name, raw := range map[string]string{
		"a byte that is no text":     "\xff",
		"a NUL that is not escaped":  "\x00",
		"an overlong slash":          "\xc0\xaf",
		"a surrogate as bytes":       "\xed\xa0\x80",
		"an unescaped line feed":     "\n",
		"an escape that there isn't": `\x41`,
	} {
		b.run(name, func(t *testing.T) {
			b.maple.post("/api/orders", `{"itemName":"Iron`+raw+`"}`).wantsProblem(http.StatusBadRequest)
		})
	}
	b.unchanged()
}

func TestTextIsCleanedTheSameWayHere(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for name, tt := range map[string]struct{ sent, want string }{
		"spaces at the ends and within": {"  Iron \u00a0  Ore\t", "Iron Ore"},
		"directions":                    {"Iron \u202eerO", "Iron erO"},
		"terminal codes":                {"\x1b[31mIron\x07", "[31mIron"},
		"piles of marks":                {"I" + strings.Repeat("\u0301", 50) + "ron", "I\u0301\u0301\u0301\u0301ron"},
		"one letter in two spellings":   {"Cafe\u0301", "Café"},
		"an emoji of several":           {"👩\u200d🌾 Farm", "👩\u200d🌾 Farm"},
		"markup stays what it is":       {"<script>alert(1)</script>", "<script>alert(1)</script>"},
	} {
		s.run(name, func(t *testing.T) {
			got := maple.post("/api/orders", order(object{"itemName": tt.sent})).wants(http.StatusCreated).json()["itemName"]
			want := tt.want
			if name == "piles of marks" {
				want = got.(string) // how they compose is the core's; that they are few is checked here
				if n := strings.Count(want, "\u0301"); n > 4 {
					t.Errorf("%d marks were stored", n)
				}
			}
			if got != want {
				t.Errorf("stored %q, want %q", got, want)
			}
		})
	}
	for name, sent := range map[string]string{
		"plain": "free money", "in capitals": "FREE MONEY", "wide": "ｆｒｅｅ ｍｏｎｅｙ", "with invisible characters between": "fr\u200bee mon\u2060ey",
		"with an invisible character for the space": "free\u200bmoney",
		"mathematical": "𝐮𝐫𝐠𝐞𝐧𝐭", "with a Cyrillic letter": "urg\u0435nt", "with marks": "ürgént",
	} {
		s.run("spam "+name, func(t *testing.T) {
			p := maple.post("/api/orders", order(object{"itemName": sent, "description": "here"})).wantsProblem(http.StatusUnprocessableEntity, "itemName")
			if p.Detail != "Your post contains suspicious content. Please revise." {
				t.Errorf("refused with %q", p.Detail)
			}
		})
	}
}

func TestASuspiciousPhraseOverTwoFieldsIsRefused(t *testing.T) {
	t.Parallel()
	maple := open(t).signedIn("maple")
	maple.post("/api/orders", order(object{"itemName": "Click", "description": "here"})).wantsProblem(http.StatusUnprocessableEntity, "description")
}

// Class 4: bodies.
func TestInvalidBodies(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	deep := strings.Repeat(`{"a":`, 9000)
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	_, err := io.CopyN(zip, zeros{}, 8<<20)
	must(t, err)
	must(t, zip.Close())

	for what, send := range b.writes() {
		b.run(what, func(t *testing.T) {
			for name, body := range map[string]string{
				"cut off":             `{"itemName":"Ir`,
				"cut off after a key": `{"itemName"`,
				"no end":              `{"itemName":"Iron"`,
				"two objects":         `{}{}`,
				"something after":     `{} trailing`,
				"a list":              `[]`,
				"a number":            `5`,
				"text":                `"text"`,
				"nothing":             `null`,
				"no JSON":             `itemName=Iron`,
				"a comma too many":    `{"itemName":"Iron",}`,
				"single quotes":       `{'itemName':'Iron'}`,
				"a comment":           `{/* */}`,
				"a byte order mark":   "\ufeff{}",
				"not a number":        `{"quantity":NaN}`,
				"a leading zero":      `{"quantity":007}`,
				"a plus":              `{"quantity":+7}`,
				"deep and unfinished": deep,
				"invalid UTF-8":       "{\"a\":\"\xff\"}",
				"UTF-16":              "\xff\xfe{\x00}\x00",
				"blank":               "   ",
			} {
				if r := send(body); r.status != http.StatusBadRequest {
					t.Errorf("%s: %d %s", name, r.status, r.body)
				} else {
					r.wantsProblem(http.StatusBadRequest)
				}
			}
			send("").wantsProblem(http.StatusBadRequest)
			send(`{"x":` + strings.Repeat(`[`, 20000) + strings.Repeat(`]`, 20000) + `}`).wantsProblem(http.StatusBadRequest)
			send(`{"itemName":"` + strings.Repeat("a", 70<<10) + `"}`).wantsProblem(http.StatusRequestEntityTooLarge)
			send(strings.Repeat(" ", 5<<20)).wantsProblem(http.StatusRequestEntityTooLarge)
			send(bytes.NewReader(bomb.Bytes()), "Content-Encoding", "gzip").wantsProblem(http.StatusUnsupportedMediaType)
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml",
				"application/json; charset=utf-16", "application/vnd.api+json", "", "json", ";"} {
				send(`{"quantity":1}`, "Content-Type", kind).wantsProblem(http.StatusUnsupportedMediaType)
			}
			for _, kind := range []string{"APPLICATION/JSON", "Application/Json; Charset=\"UTF-8\"", "application/json ; charset=utf-8", " application/json;x=y"} {
				send(`[]`, "Content-Type", kind).wantsProblem(http.StatusBadRequest) // it is read, as JSON
				send(`{}`, "Content-Type", kind, "Sec-Fetch-Site", "cross-site").wantsProblem(http.StatusForbidden)
			}
		})
	}
	b.unchanged()
}

func TestFieldsThatAreSentTwiceOrUnknown(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	p := b.maple.post("/api/orders", `{"itemName":"Iron","itemName":"Gold","quantity":5,"maxPricePerUnit":5,"buyerContact":"maple"}`).
		wantsProblem(http.StatusUnprocessableEntity, "itemName")
	if p.Errors["itemName"] != "This field was sent twice" {
		t.Errorf("a field sent twice is refused with %q", p.Errors["itemName"])
	}
	for _, field := range []string{"ItemName", "item_name", "itemname", " itemName", "item\\u0000Name", "", "__proto__", "constructor"} {
		name := strings.ReplaceAll(field, `\u0000`, "\x00")
		p := b.maple.post("/api/orders", `{"`+field+`":"Iron"}`).wantsProblem(http.StatusUnprocessableEntity, name)
		if p.Errors[name] != "Unknown field" {
			t.Errorf("%q is refused with %q", field, p.Errors[name])
		}
	}
	b.unchanged()
}

// The end of a body that never comes is not waited for.
func TestABodyThatIsCutOff(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for name, end := range map[string]func(net.Conn){
		"by closing the line": func(c net.Conn) { must(t, c.(*net.TCPConn).CloseWrite()) },
		"by hanging up":       func(c net.Conn) { must(t, c.Close()) },
	} {
		b.run(name, func(t *testing.T) {
			conn, err := net.DialTimeout("tcp", strings.TrimPrefix(b.url, "http://"), 5*time.Second)
			must(t, err)
			defer conn.Close()
			_, err = fmt.Fprintf(conn, "POST %s/offers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"sellerName\":\"Fe", b.order)
			must(t, err)
			end(conn)
			if name == "by hanging up" {
				return
			}
			answer, err := io.ReadAll(conn)
			must(t, err)
			if !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), "The body ended too soon") {
				t.Errorf("answered %s", answer)
			}
		})
	}
	b.unchanged()
}

// Class 5: fields that a client must not set.
func TestFieldsThatAreNotTheClients(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for _, field := range []string{
		"id", "userId", "user_id", "owner", "status", "progress", "sold", "closeReason", "createdAt", "updatedAt", "expiresAt", "closedAt",
		"expired", "totalValue", "offerCount", "version",
	} {
		if field != "version" {
			b.maple.patch(b.order, object{"version": 1, field: 1}).wantsProblem(http.StatusUnprocessableEntity, field)
		}
		b.maple.post("/api/orders", order(object{field: 1})).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	for _, field := range []string{"pricePerUnit", "price_per_unit", "verified", "seller", "sellerId", "orderId", "id", "createdAt", "quantity"} {
		b.visitor.post(b.order+"/offers", offer(object{field: 1})).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	for _, field := range []string{"unitPrice", "updatedBy", "orderId", "createdAt", "offerId"} {
		b.maple.post(b.order+"/sales", object{"quantitySold": 1, field: 1}).wantsProblem(http.StatusUnprocessableEntity, field)
		b.maple.post(b.offer+"/accept", object{"quantity": 1, field: 1}).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	b.unchanged()
}

// Class 6: acting on what is another's, gone, or in another state.
func TestOthersCannotActOnARequest(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	juniper := b.signedIn("juniper_fox")
	calls := map[string]func(*browser) *reply{
		"edit":               func(x *browser) *reply { return x.patch(b.order, object{"version": 1, "quantity": 1}) },
		"close":              func(x *browser) *reply { return x.post(b.order+"/close", nil) },
		"undo close":         func(x *browser) *reply { return x.post(b.order+"/undo-close", nil) },
		"renew":              func(x *browser) *reply { return x.post(b.order+"/renew", nil) },
		"delete":             func(x *browser) *reply { return x.delete(b.order) },
		"read the offers":    func(x *browser) *reply { return x.get(b.order + "/offers") },
		"accept an offer":    func(x *browser) *reply { return x.post(b.offer+"/accept", object{"quantity": 1}) },
		"delete an offer":    func(x *browser) *reply { return x.delete(b.offer) },
		"log a sale":         func(x *browser) *reply { return x.post(b.order+"/sales", object{"quantitySold": 1}) },
		"read the sales":     func(x *browser) *reply { return x.get(b.order + "/sales") },
		"accept one's offer": func(x *browser) *reply { return b.rowan.post(b.offer+"/accept", object{"quantity": 1}) },
	}
	for name, call := range calls {
		b.run(name, func(t *testing.T) {
			if name == "accept one's offer" {
				call(nil).wantsProblem(http.StatusForbidden)
				return
			}
			call(juniper).wantsProblem(http.StatusForbidden)
			call(b.visitor).wantsProblem(http.StatusUnauthorized)
		})
	}
	b.unchanged()
}

func TestActingOnDeletedObjectsReturnsNotFound(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.maple.delete(b.order).wants(http.StatusNoContent)
	for _, order := range []string{b.order, "/api/orders/0", "/api/orders/-1", "/api/orders/999999", "/api/orders/9223372036854775807"} {
		b.visitor.get(order).wantsProblem(http.StatusNotFound)
		b.maple.patch(order, object{"version": 1}).wantsProblem(http.StatusNotFound)
		b.maple.post(order+"/close", nil).wantsProblem(http.StatusNotFound)
		b.maple.post(order+"/renew", nil).wantsProblem(http.StatusNotFound)
		b.maple.delete(order).wantsProblem(http.StatusNotFound)
		b.maple.get(order + "/offers").wantsProblem(http.StatusNotFound)
		b.rowan.post(order+"/offers", offer()).wantsProblem(http.StatusNotFound)
		b.maple.get(order + "/sales").wantsProblem(http.StatusNotFound)
		b.maple.post(order+"/sales", object{"quantitySold": 1}).wantsProblem(http.StatusNotFound)
	}
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wantsProblem(http.StatusNotFound)
	b.rowan.delete(b.offer).wantsProblem(http.StatusNotFound)
}

func TestAddressesThatNameNothing(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for _, id := range []string{
		"abc", "1e1", "1.0", "0x1", "9223372036854775808", "99999999999999999999999", "%31%00", "1%2F..%2F2", "1;drop table orders", "１", "",
	} {
		address := "/api/orders/" + strings.ReplaceAll(url.PathEscape(id), "%25", "%")
		b.visitor.get(address).wantsProblem(http.StatusNotFound)
		if id != "" {
			b.maple.delete(address).wantsProblem(http.StatusNotFound)
			b.maple.post(address+"/close", nil).wantsProblem(http.StatusNotFound)
		}
	}
	for _, path := range []string{"/api", "/api/", "/api/orders/", "/api/order", "/api/users", "/api/me/", "/api/orders/1/close/x", "/auth/", "/auth/google"} {
		if r := b.visitor.get(path); r.status != http.StatusNotFound && r.status != http.StatusMethodNotAllowed {
			t.Errorf("%s answered %d", path, r.status)
		}
	}
	b.visitor.do(http.MethodPut, b.order, order()).wantsProblem(http.StatusMethodNotAllowed)
	if allow := b.visitor.do(http.MethodPut, b.order, order()).header.Values("Allow"); strings.Join(allow, ",") != "GET,PATCH,DELETE" {
		t.Errorf("allowed are %v", allow)
	}
	b.unchanged()
}

func TestActingInAnotherState(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	other := b.maple.posts()
	b.maple.post(b.order+"/close", nil).wants(http.StatusOK)
	for name, r := range map[string]*reply{
		"edit":  b.maple.patch(b.order, object{"version": 2, "quantity": 1}),
		"close": b.maple.post(b.order+"/close", nil),
		"renew": b.maple.post(b.order+"/renew", nil),
		"offer": b.visitor.post(b.order+"/offers", offer()),
		"sell":  b.maple.post(b.order+"/sales", object{"quantitySold": 1}),
	} {
		if p := r.wantsProblem(http.StatusConflict); p.Current == nil || p.Current.Status != "fulfilled" {
			t.Errorf("%s on a closed request shows %+v", name, p.Current)
		}
	}
	b.maple.post(b.offer+"/accept", object{"quantity": 1}).wantsProblem(http.StatusNotFound) // it lapsed
	b.maple.get(other).wants(http.StatusOK)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
