package discordtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestTheDescriptionIsDiscordsOwn(t *testing.T) {
	t.Parallel()
	unzip, err := gzip.NewReader(bytes.NewReader(description))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	blob := sha1.New() // git's name for the file
	fmt.Fprintf(blob, "blob %d\x00", len(text))
	blob.Write(text)
	if got := hex.EncodeToString(blob.Sum(nil)); got != "bbbd9bf789f5d3dacb74c697acf64c66fcf782bf" {
		t.Errorf("the description is blob %s", got)
	}
}

// A correction that the document does not need any more hides a check.
func TestEveryCorrectionIsStillNeeded(t *testing.T) {
	t.Parallel()
	unzip, err := gzip.NewReader(bytes.NewReader(description))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(unzip)
	if err != nil {
		t.Fatal(err)
	}
	untouched := &spec{doc: value.(map[string]any)}
	for _, c := range corrections {
		was, _ := untouched.at(c.at).(map[string]any)
		if types := fmt.Sprint(was["type"]); types != "[integer null]" || c.reason == "" {
			t.Errorf("%s is %v by now", c.at, was)
		}
	}
	for _, a := range additions {
		schema, _ := untouched.at("/components/schemas/" + a.schema).(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		if properties == nil || properties[a.key] != nil || a.reason == "" {
			t.Errorf("%s has %s by now", a.schema, a.key)
		}
	}
}

func TestEveryEndpointIsDescribed(t *testing.T) {
	t.Parallel()
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	// The description leaves these out: they speak OAuth2.
	undescribed := map[string]bool{"POST /oauth2/token": true, "POST /oauth2/token/revoke": true}
	for route := range (&Discord{}).table() {
		method, template, _ := strings.Cut(route, " ")
		if (s.operation(method, template) == nil) != undescribed[route] {
			t.Errorf("%s is not in the description", route)
		}
	}
}

func TestLiteralPathsComeBeforeParameters(t *testing.T) {
	t.Parallel()
	s, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/users/@me":                         "/users/@me",
		"/users/123":                         "/users/{user_id}",
		"/applications/@me":                  "/applications/@me",
		"/webhooks/1/abc/messages/@original": "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
		"/webhooks/1/abc/messages/5":         "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
		"/nowhere":                           "",
		"/channels//messages":                "",
	} {
		if got, _ := s.match(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
