package web_test

import (
	"bytes"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/web"
)

// showing serves one order on a page.
func showing(t *testing.T, o trade.Order, dist fs.FS, languages ...string) *site {
	t.Helper()
	// The market's clock stands at a time at which the order may be read.
	m := market.New(oneOrder{order: o}, market.Options{
		Now: func() time.Time { return coretest.Noon }, Forms: coretest.Forms,
	})
	door, err := web.New(m, web.Options{
		Languages: languages, PublicURL: "https://trade.example", Name: "Harbour Market", Tagline: "Powered by maple", Sessions: noSessions{}, Dist: dist, Log: silence,
	})
	must(t, err)
	server := httptest.NewServer(door)
	t.Cleanup(server.Close)
	return &site{t: t, url: server.URL}
}

func TestThePageHasManyAddresses(t *testing.T) {
	t.Parallel()
	s := showing(t, coretest.Order(), page)
	for path, status := range map[string]int{
		"/": 200, "/mine": 200, "/completed": 200, "/mine/offers": 200, "/selling/offers": 200, "/offer": 200, "/inbox": 200, "/moderation": 200, "/operation": 200, "/requests/7": 200, "/?q=iron": 200,
		"/requests/8": 404, "/requests/x": 404, "/requests/": 404, "/requests": 404, "/nothing": 404, "/mine/x": 404,
	} {
		r := s.visitor().get(path).wants(status)
		if !strings.Contains(string(r.body), `<div id="root">`) || r.header.Get("Content-Type") != "text/html; charset=utf-8" || r.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s shows %s as %v", path, r.body, r.header)
		}
	}
	for _, file := range []string{"/index.html", "/.gitkeep", "/.env", "/.git/config", "/wp-login.php", "/apple-touch-icon-120x120.png", "/mine/x.JS", "/..%2f..%2fetc%2fpasswd", "//evil.example"} {
		r := s.visitor().get(file)
		r.wantsProblem(http.StatusNotFound)
		if len(r.body) > 500 {
			t.Errorf("%s is answered with %d bytes", file, len(r.body))
		}
	}
	s.visitor().get("/api/nothing").wantsProblem(http.StatusNotFound)
	s.visitor().get("/assets/../index.html").wantsProblem(http.StatusNotFound)
	s.visitor().get("/assets/gone-1.js").wantsProblem(http.StatusNotFound)
	s.visitor().post("/", nil).wantsProblem(http.StatusMethodNotAllowed)
	if r := s.visitor().do(http.MethodHead, "/", nil).wants(http.StatusOK); len(r.body) != 0 {
		t.Errorf("HEAD answered %q", r.body)
	}
}

func TestThePagePreloadsItsFirstRequests(t *testing.T) {
	t.Parallel()
	s := showing(t, coretest.Order(), page)
	const board, counts, me = "/api/orders", "/api/orders/counts", "/api/me"
	for path, want := range map[string][]string{
		"/":                              {me, board, counts},
		"/?dialog=offer&request=7":       {me, board, counts},
		"/?category=Miner":               {me, board + "?category=Miner", counts},
		"/?sort=price&category=Chef":     {me, board + "?category=Chef&amp;sort=price", counts},
		"/?sort=newest":                  {me, board, counts},
		"/?category=Wizard&sort=random":  {me, board, counts},
		"/?category=Chef&category=Miner": {me},
		"/?q=iron&category=Miner":        {me},
		"/?importance=urgent":            {me},
		"/?min=1g":                       {me},
		"/mine":                          {me},
		"/requests/7":                    {me, "/api/orders/7"},
		"/requests/8":                    nil,
	} {
		body := string(s.visitor().get(path).body)
		got := []string{}
		for _, link := range regexp.MustCompile(`<link rel="preload" as="fetch" href="([^"]*)" crossorigin />`).FindAllStringSubmatch(body, -1) {
			got = append(got, link[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s loads %q ahead, want %q", path, got, want)
		}
	}
}

func TestAssetsAreCachedAndCompressed(t *testing.T) {
	t.Parallel()
	s := showing(t, coretest.Order(), page)
	const script = "/assets/app-1a2b.js"
	for accepted, want := range map[string]struct{ body, encoding string }{
		"":                        {"console.log('plain')", ""},
		"gzip":                    {"gzipped", "gzip"},
		"br":                      {"brotlied", "br"},
		"gzip, deflate, br, zstd": {"brotlied", "br"},
		"gzip;q=1.0, br;q=0":      {"gzipped", "gzip"},
		"br;q=0.5":                {"brotlied", "br"},
		"BR":                      {"brotlied", "br"},
		"brotli, xgzip":           {"console.log('plain')", ""},
		"gzip;q=0.000":            {"console.log('plain')", ""},
	} {
		r := s.visitor().get(script, "Accept-Encoding", accepted).wants(http.StatusOK)
		if string(r.body) != want.body || r.header.Get("Content-Encoding") != want.encoding {
			t.Errorf("%q is answered %q as %q", accepted, r.body, r.header.Get("Content-Encoding"))
		}
		if r.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || r.header.Get("Vary") != "Accept-Encoding" || r.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: %v", accepted, r.header)
		}
		again := s.visitor().get(script, "Accept-Encoding", accepted, "If-None-Match", r.header.Get("ETag")).wants(http.StatusNotModified)
		if len(again.body) != 0 {
			t.Errorf("not modified, and yet %q", again.body)
		}
	}
	if r := s.visitor().get("/theme.js").wants(http.StatusOK); r.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("a file whose name does not change is cached: %v", r.header)
	}
}

func TestAPageThatWasNotBuiltSaysSo(t *testing.T) {
	t.Parallel()
	for name, dist := range map[string]fs.FS{"nothing": nil, "an empty folder": fstest.MapFS{".gitkeep": {}}, "no folder": os.DirFS("/nowhere")} {
		s := showing(t, coretest.Order(), dist)
		for _, path := range []string{"/", "/mine", "/requests/7", "/nothing"} {
			if r := s.visitor().get(path).wants(http.StatusServiceUnavailable); !strings.Contains(string(r.body), "make run") {
				t.Errorf("%s: %s: %s", name, path, r.body)
			}
		}
		s.visitor().get("/api/orders/7").wants(http.StatusOK)
	}
}

func TestALinkToARequestUnfurls(t *testing.T) {
	t.Parallel()
	o := coretest.Order(func(o *trade.Order) { o.MaxPrice, o.Sold = coretest.Platinum+500*coretest.Gold, 160 })
	head := string(showing(t, o, page).visitor().get("/requests/7").wants(http.StatusOK).body)
	for _, tag := range []string{
		`<title>500 × Iron Ore</title>`,
		`<meta name="description" content="1p 500g each, 340 of 500 left, pays 510p in all" />`,
		`<meta property="og:title" content="500 × Iron Ore" />`,
		`<meta property="og:description" content="1p 500g each, 340 of 500 left, pays 510p in all" />`,
		`<meta property="og:url" content="https://trade.example/requests/7" />`,
		`<meta property="og:site_name" content="Harbour Market" />`,
		`<meta property="og:image" content="https://trade.example/requests/7/card.png?v=1-en" />`,
		`<meta property="og:image:alt" content="500 × Iron Ore. 1p 500g each, 340 of 500 left, pays 510p in all" />`,
		`<meta name="twitter:card" content="summary_large_image" />`,
		`<meta name="application-name" content="Harbour Market" />`,
		`<meta name="tagline" content="Powered by maple" />`,
	} {
		if strings.Count(head, tag) != 1 {
			t.Errorf("the head lacks %s: %s", tag, head)
		}
	}
	if strings.Count(head, "<title>") != 1 || strings.Count(head, `name="description"`) != 1 {
		t.Errorf("the head says things twice: %s", head)
	}
}

func TestALinkToTheBoardUnfurls(t *testing.T) {
	t.Parallel()
	s := showing(t, coretest.Order(), page)
	for _, path := range []string{"/", "/?category=Miner", "/selling/offers", "/nothing"} {
		head := string(s.visitor().get(path).body)
		for _, tag := range []string{
			`<meta property="og:title" content="Harbour Market: requests for in-game items" />`,
			`<meta property="og:url" content="https://trade.example/" />`,
			`<meta property="og:image:width" content="1200" />`,
			`<meta name="twitter:card" content="summary_large_image" />`,
			`<meta name="twitter:title" content="Harbour Market: requests for in-game items" />`,
		} {
			if strings.Count(head, tag) != 1 {
				t.Errorf("%s: the head lacks %s: %s", path, tag, head)
			}
		}
		_, address, _ := strings.Cut(head, `<meta property="og:image" content="https://trade.example`)
		address, _, _ = strings.Cut(address, `"`)
		r := s.visitor().get(address).wants(http.StatusOK)
		picture, err := png.Decode(bytes.NewReader(r.body))
		must(t, err)
		if size := picture.Bounds().Size(); size.X != 1200 || size.Y != 630 || r.header.Get("Content-Type") != "image/png" {
			t.Errorf("the picture is %v of %s", size, r.header.Get("Content-Type"))
		}
		s.visitor().get(address, "If-None-Match", r.header.Get("ETag")).wants(http.StatusNotModified)
		if dir := os.Getenv("CARDS"); dir != "" { // to look at it
			must(t, os.WriteFile(dir+"/board.png", r.body, 0o600))
		}
	}
}

func TestLargeNumbersInALinkHaveSeparators(t *testing.T) {
	t.Parallel()
	o := coretest.Order(func(o *trade.Order) { o.Quantity, o.Sold, o.MaxPrice = 12_500, 500, 2*coretest.Platinum })
	head := string(showing(t, o, page).visitor().get("/requests/7").wants(http.StatusOK).body)
	for _, tag := range []string{
		`<meta property="og:title" content="12,500 × Iron Ore" />`,
		`<meta property="og:description" content="2p each, 12,000 of 12,500 left, pays 24,000p in all" />`,
	} {
		if strings.Count(head, tag) != 1 {
			t.Errorf("the head lacks %s: %s", tag, head)
		}
	}
}

// Class 8: markup in what unfurls.
func TestMarkupStaysInItsPlaceInTheHead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		`</title><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'"<>&`, `</head><body>`, `<!-- `, `&lt;b&gt;`, `$1 ${0} \1`, "`${x}`",
	} {
		o := coretest.Order(func(o *trade.Order) { o.ItemName = name })
		body := string(showing(t, o, page).visitor().get("/requests/7").wants(http.StatusOK).body)
		for _, broken := range []string{"<script>alert", "<img", "<!-- ", "</title><s"} {
			if strings.Contains(body, broken) {
				t.Errorf("%q breaks out: %s", name, body)
			}
		}
		if strings.Count(body, "</head>") != 1 || strings.Count(body, "<body>") != 1 || strings.Count(body, "<title>") != 1 {
			t.Errorf("%q breaks the page: %s", name, body)
		}
	}
}

func TestAFulfilledRequestUnfurlsAsThat(t *testing.T) {
	t.Parallel()
	o := coretest.Order(func(o *trade.Order) { o.Status, o.Sold, o.CloseReason = trade.Fulfilled, 3, trade.ClosedEarly })
	body := string(showing(t, o, page).visitor().get("/requests/7").wants(http.StatusOK).body)
	if !strings.Contains(body, `content="Fulfilled: 3 of 500 at 250c each"`) {
		t.Errorf("the head says %s", body)
	}
}

func TestTheCardIsAPictureOfTheRequest(t *testing.T) {
	t.Parallel()
	level := 120
	for name, o := range map[string]trade.Order{
		"plain": coretest.Order(),
		"urgent and dear": coretest.Order(func(o *trade.Order) {
			o.Importance, o.MaxPrice, o.LevelRequirement = game.Urgent, core.MaxPrice, &level
		}),
		"a long name":    coretest.Order(func(o *trade.Order) { o.ItemName = strings.Repeat("Very long name ", 7) }),
		"one long word":  coretest.Order(func(o *trade.Order) { o.ItemName = strings.Repeat("W", 100) }),
		"another script": coretest.Order(func(o *trade.Order) { o.ItemName = "鉄鉱石 железо 🪨" }),
		"nothing left":   coretest.Order(func(o *trade.Order) { o.Sold, o.Status, o.CloseReason = 500, trade.Fulfilled, trade.Filled }),
		"most of all":    coretest.Order(func(o *trade.Order) { o.Quantity, o.MaxPrice = core.MaxQuantity, core.MaxPrice }),
	} {
		for _, language := range []string{"en", "de"} {
			t.Run(name+" in "+language, func(t *testing.T) {
				t.Parallel()
				s := showing(t, o, page, language)
				r := s.visitor().get("/requests/7/card.png?v=1").wants(http.StatusOK)
				picture, err := png.Decode(bytes.NewReader(r.body))
				must(t, err)
				if size := picture.Bounds().Size(); size.X != 1200 || size.Y != 630 || r.header.Get("Content-Type") != "image/png" {
					t.Errorf("the card is %v of %s", size, r.header.Get("Content-Type"))
				}
				tag := `"v1-` + language + `"`
				if r.header.Get("Cache-Control") != "public, max-age=300" || r.header.Get("ETag") != tag {
					t.Errorf("the card has the headers %v", r.header)
				}
				s.visitor().get("/requests/7/card.png", "If-None-Match", tag).wants(http.StatusNotModified)
				if dir := os.Getenv("CARDS"); dir != "" { // to look at them
					must(t, os.WriteFile(dir+"/"+strings.ReplaceAll(name, " ", "-")+"-"+language+".png", r.body, 0o600))
				}
			})
		}
	}
	s := showing(t, coretest.Order(), page)
	s.visitor().get("/requests/8/card.png").wantsProblem(http.StatusNotFound)
	s.visitor().get("/requests/x/card.png").wantsProblem(http.StatusNotFound)
}

func TestACardFollowsItsRequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	card := strings.Replace(address, "/api/orders", "/requests", 1) + "/card.png"
	before := visitor.get(card).wants(http.StatusOK)
	if same := visitor.get(card).wants(http.StatusOK); !bytes.Equal(same.body, before.body) {
		t.Error("the same request is drawn differently")
	}
	maple.patch(address, object{"version": 1, "itemName": "Gold Ore"}).wants(http.StatusOK)
	if after := visitor.get(card).wants(http.StatusOK); bytes.Equal(after.body, before.body) {
		t.Error("an edited request is drawn as before")
	}
}
