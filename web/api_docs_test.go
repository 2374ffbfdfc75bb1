package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/web"
)

// fieldType is the type of a field, or of the entries of a list.
type fieldType struct {
	Type   any
	Format string
	Ref    string `json:"$ref"`
	Enum   []any
	AnyOf  []fieldType
	Items  *fieldType
}

// wantsExample reports whether a type does not say itself how its values look: a text, a number, or a list of them.
func wantsExample(of fieldType) bool {
	types, _ := of.Type.([]any)
	named := slices.Concat(types, []any{of.Type})
	switch {
	case of.Ref != "" || len(of.Enum) > 0 || of.Format == "date-time":
		return false
	case len(of.AnyOf) > 0:
		return wantsExample(of.AnyOf[0])
	case of.Items != nil:
		return wantsExample(*of.Items)
	}
	return slices.ContainsFunc(named, func(t any) bool { return t == "string" || t == "integer" || t == "number" })
}

func TestEveryOperationAndFieldReadsWell(t *testing.T) {
	t.Parallel()
	text, err := web.OpenAPI()
	must(t, err)
	type schema struct {
		Description string
		Ref         string `json:"$ref"`
		Properties  map[string]struct {
			fieldType
			Description string
			Examples    []any
		}
	}
	var document struct {
		Servers []struct{ URL string }
		Tags    []struct{ Name, Description string }
		Paths   map[string]map[string]struct {
			OperationID, Summary, Description string
			Tags                              []string
			Security                          []map[string][]string
			Parameters                        []struct {
				Name, Description string
				Example           any
				Schema            struct {
					fieldType
					Examples []any
				}
			}
			Responses map[string]struct{ Description, Ref string }
		}
		Components struct {
			Schemas         map[string]schema
			SecuritySchemes map[string]struct{ Description string }
		}
	}
	must(t, json.Unmarshal(text, &document))
	tags, known := map[string]bool{}, map[string]bool{}
	for _, tag := range document.Tags {
		if tags[tag.Name] = true; tag.Description == "" {
			t.Errorf("the tag %s has no description", tag.Name)
		}
	}
	if len(document.Servers) != 1 || len(document.Components.SecuritySchemes) == 0 || len(document.Paths) < 100 {
		t.Errorf("the document has the servers %v, the ways to sign in %v and %d addresses", document.Servers, document.Components.SecuritySchemes, len(document.Paths))
	}
	for path, methods := range document.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path + " (" + op.OperationID + ")"
			if op.Summary == "" || op.Description == "" {
				t.Errorf("%s has the summary %q and the description %q: see web/docs/texts.md", name, op.Summary, op.Description)
			}
			if len(op.Tags) != 1 || !tags[op.Tags[0]] {
				t.Errorf("%s has the tags %v, want one of web/docs/texts.md", name, op.Tags)
			}
			for _, p := range op.Parameters {
				if p.Description == "" {
					t.Errorf("the parameter %s of %s has no description", p.Name, name)
				}
				if p.Example == nil && len(p.Schema.Examples) == 0 && wantsExample(p.Schema.fieldType) {
					t.Errorf("the parameter %s of %s has no example", p.Name, name)
				}
				known["= "+p.Name] = true
			}
			for _, way := range op.Security {
				for scheme := range way {
					if _, known := document.Components.SecuritySchemes[scheme]; !known {
						t.Errorf("%s wants %s, which is not described", name, scheme)
					}
				}
			}
		}
	}
	for shape, s := range document.Components.Schemas {
		for field, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("the field %s.%s has no description: see web/docs/texts.md", shape, field)
			}
			if len(p.Examples) == 0 && wantsExample(p.fieldType) {
				t.Errorf("the field %s.%s has no example: see web/docs/texts.md", shape, field)
			}
		}
	}
	for _, methods := range document.Paths {
		for _, op := range methods {
			known["## "+op.OperationID] = true
		}
	}
	for shape, s := range document.Components.Schemas {
		for field := range s.Properties {
			known["- "+field], known["- "+shape+"."+field], known["= "+field] = true, true, true
		}
	}
	file, err := os.ReadFile("docs/texts.md")
	must(t, err)
	for _, m := range regexp.MustCompile(`(?m)^((?:##|-|=) [^:]+): `).FindAllStringSubmatch(string(file), -1) {
		if !known[m[1]] {
			t.Errorf("web/docs/texts.md has a text for %q, which is not there", m[1])
		}
	}
}

// commands returns the commands of the page by operation.
func (b *board) commands() map[string]string {
	page := b.visitor.get("/api/docs").wants(http.StatusOK)
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)<article id="([^"]+)".*?</article>`).FindAllStringSubmatch(string(page.body), -1) {
		if command := regexp.MustCompile(`(?s)class="curl">(.*?)</pre>`).FindStringSubmatch(m[0]); command != nil {
			found[m[1]] = html.UnescapeString(command[1])
		}
	}
	return found
}

func (b *board) withItems() *board {
	items, err := items.ReadRows([]byte("name,made_by,made_at_level\nIron Ore,Miner,20\n"), coretest.Forms)
	must(b.t, err)
	_, err = b.market.Items.Import(b.t.Context(), items, false)
	must(b.t, err)
	return b
}

// Each operation is called with the example body of the page, too.
func TestVisitorsCanCallWhatNeedsNoSignIn(t *testing.T) {
	t.Parallel()
	b := openBoard(t).withItems()
	contract, err := promised()
	must(t, err)
	commands := b.commands()
	for _, p := range contract.paths {
		for method, op := range p.methods {
			op := op.(object)
			path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(strings.Replace(p.template, "{kind}", "offer", 1), "1")
			if path == "/api/events" || strings.HasPrefix(path, "/auth/") {
				continue
			}
			free := false
			for _, way := range op["security"].([]any) {
				free = free || len(way.(object)) == 0
			}
			var body any
			if op["requestBody"] != nil {
				_, sent, _ := strings.Cut(commands[op["operationId"].(string)], "-d '")
				body = strings.TrimSuffix(sent, "'")
			}
			r := b.visitor.do(strings.ToUpper(method), path, body)
			if free == (r.status == http.StatusUnauthorized) {
				t.Errorf("%s %s without a session: %d %s; without sign-in is %v", method, path, r.status, r.body, free)
			}
			if r.status == http.StatusBadRequest {
				t.Errorf("the page sends %v to %s %s: %s", body, method, path, r.body)
			}
		}
	}
}

func TestTheCommandsOfTheAPIPageWork(t *testing.T) {
	t.Parallel()
	b := openBoard(t).withItems()
	page := b.visitor.get("/api/docs").wants(http.StatusOK)
	text := string(page.body)
	commands := b.commands()
	for id, command := range commands {
		if strings.Contains(command, "SESSION") || strings.Contains(command, "TOKEN") || strings.Contains(command, "-X") || id == "events" || strings.Contains(command, "/auth/") {
			continue
		}
		t.Run(id, func(t *testing.T) {
			if id == "get-list" || id == "get-list-for-sale" || id == "get-offer-link" {
				t.Skip("there is none that everybody sees")
			}
			cmd := exec.Command("bash", "-c", "set -eu; curl() { command curl -sSfm 20 \"$@\"; }\n"+command)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
		})
	}
	if len(commands) < 150 || !strings.Contains(commands["list-public-orders"], b.url+"/api/public/orders") {
		t.Errorf("the page has the commands %v", commands)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if ids[m[1]] {
			t.Errorf("two places of the page are called %s", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if anchor, is := strings.CutPrefix(m[1], "#"); is && !ids[anchor] || strings.Contains(m[1], "://") {
			t.Errorf("the page links to %s", m[1])
		}
	}
	if strings.Contains(text, "<script") || strings.Contains(text, " style=") || strings.Contains(text, "ZgotmplZ") {
		t.Error("the page has what its policy forbids")
	}
	sum := sha256.Sum256([]byte(regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)[1]))
	policy := page.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';") {
		t.Errorf("the policy is %s", policy)
	}
	b.visitor.get("/api/docs", "If-None-Match", page.header.Get("ETag")).wants(http.StatusNotModified)
}

func TestProgramsFindTheDescription(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	head := b.visitor.do(http.MethodHead, "/.well-known/api-catalog", nil).wants(http.StatusOK)
	if head.header.Get("Link") != `</.well-known/api-catalog>; rel="api-catalog"` ||
		head.header.Get("Content-Type") != `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"` {
		t.Errorf("HEAD of the catalogue is answered %v", head.header)
	}
	var catalog struct {
		Linkset []map[string]json.RawMessage
	}
	b.visitor.get("/.well-known/api-catalog").wants(http.StatusOK).into(&catalog)
	types := map[string]string{}
	for _, links := range catalog.Linkset {
		for _, relation := range []string{"service-desc", "service-doc", "status"} {
			var targets []struct{ Href, Type string }
			if links[relation] != nil {
				must(t, json.Unmarshal(links[relation], &targets))
			}
			for _, target := range targets {
				r := b.visitor.get(strings.TrimPrefix(target.Href, b.url)).wants(http.StatusOK)
				types[relation+" "+target.Type] = r.header.Get("Content-Type")
			}
		}
	}
	want := map[string]string{"service-desc application/json": "application/json", "service-desc application/yaml": "application/yaml",
		"service-doc text/html": "text/html; charset=utf-8", "status application/json": "application/json"}
	if !maps.Equal(types, want) {
		t.Errorf("the catalogue leads to %v, want %v", types, want)
	}
	var asJSON object
	b.visitor.get("/api/openapi.json").into(&asJSON)
	asYAML := string(b.visitor.get("/api/openapi.yaml").body)
	operations := 0
	for _, methods := range asJSON["paths"].(object) {
		operations += len(methods.(object))
	}
	if n := len(regexp.MustCompile(`(?m)^ +operationId: \S+$`).FindAllString(asYAML, -1)); n != operations || !strings.Contains(asYAML, "\nopenapi: 3.1.0\n") {
		t.Errorf("the description has %d operations as YAML, and %d as JSON", n, operations)
	}
	if servers := asJSON["servers"].([]any); servers[0].(object)["url"] != b.url {
		t.Errorf("the description names the servers %v", servers)
	}
}
