package discordtest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed openapi/openapi.json.gz
var description []byte

// corrections are the places where Discord's description is known to be wrong: the documentation, or what
// Discord takes every day, says otherwise. Each is checked to be still there, so that a renewed document
// shows what has healed.
var corrections = []struct {
	at     string // JSON pointer to the replaced value
	by     any
	reason string
}{
	{"/components/schemas/ApplicationCommandUpdateRequest/properties/default_member_permissions",
		permissionSet,
		"the documentation has a bit set as a string, as every library sends it; the description an integer"},
	{"/components/schemas/ApplicationCommandCreateRequest/properties/default_member_permissions",
		permissionSet,
		"the same in the request for one command"},
	{"/components/schemas/ApplicationCommandPatchRequestPartial/properties/default_member_permissions",
		permissionSet,
		"the same in the request to change a command"},
	{"/components/schemas/CreateRoleRequest/properties/permissions", permissionSet,
		"the same for a role"},
}

// additions are keys that Discord documents or ignores and the description leaves out.
var additions = []struct{ schema, key, reason string }{
	{"ApplicationCommandUpdateRequest", "nsfw",
		"documented for commands, missing in the description of requests"},
	{"ApplicationCommandCreateRequest", "nsfw", "the same in the request for one command"},
	{"MessageEditRequestPartial", "ID", "discordgo's MessageEdit carries it without a JSON name; Discord ignores it"},
	{"MessageEditRequestPartial", "Channel", "as ID"},
	{"ComponentEmojiForRequest", "animated",
		"documented for partial emoji, missing in the description of requests"},
	{"CreatedThreadResponse", "message",
		"documented for a post of a forum, missing in the description of the answer"},
	{"GuildMemberResponse", "permissions",
		"documented for the member of an interaction; the description has no events"},
}

var permissionSet = map[string]any{
	"oneOf": []any{
		map[string]any{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
		map[string]any{"type": "integer", "minimum": 0},
		map[string]any{"type": "null"},
	},
}

// spec is Discord's description of its HTTP API, with its schemas compiled on first use.
type spec struct {
	doc   map[string]any
	paths []path
	found sync.Map // what JSON pointers lead to

	mu       sync.Mutex // the compiler is not safe for concurrent use
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// path is one template of the description, such as /channels/{channel_id}/messages.
type path struct {
	template string
	segments []string
}

const specURL = "https://discord.com/openapi.json"

// loadSpec reads the description once for the whole process: unpacking a megabyte of JSON for every test
// would be slow.
var loadSpec = sync.OnceValues(func() (*spec, error) {
	unzip, err := gzip.NewReader(bytes.NewReader(description))
	if err != nil {
		return nil, fmt.Errorf("unpack Discord's description: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(unzip)
	if err != nil {
		return nil, fmt.Errorf("read Discord's description: %w", err)
	}
	s := &spec{doc: value.(map[string]any), compiler: jsonschema.NewCompiler(),
		compiled: map[string]*jsonschema.Schema{}}
	for _, c := range corrections {
		if err := s.correct(c.at, c.by); err != nil {
			return nil, err
		}
	}
	s.compiler.DefaultDraft(jsonschema.Draft2020)
	s.compiler.AssertFormat()
	s.compiler.RegisterFormat(&jsonschema.Format{Name: "snowflake", Validate: func(v any) error {
		if text, ok := v.(string); ok && !isID(text) {
			return fmt.Errorf("value %q is not snowflake", text)
		}
		return nil
	}})
	if err := s.compiler.AddResource(specURL, s.doc); err != nil {
		return nil, fmt.Errorf("load Discord's description: %w", err)
	}
	for _, template := range slices.Sorted(maps.Keys(s.doc["paths"].(map[string]any))) {
		s.paths = append(s.paths, path{template, strings.Split(template, "/")})
	}
	return s, nil
})

func (s *spec) correct(pointer string, by any) error {
	keys := strings.Split(pointer, "/")[1:]
	at := s.doc
	for _, key := range keys[:len(keys)-1] {
		next, ok := at[key].(map[string]any)
		if !ok {
			return fmt.Errorf("correct Discord's description: nothing at %s", pointer)
		}
		at = next
	}
	last := keys[len(keys)-1]
	if _, ok := at[last]; !ok {
		return fmt.Errorf("correct Discord's description: nothing at %s", pointer)
	}
	at[last] = by
	return nil
}

// match finds the template for a path, literal segments before parameters.
func (s *spec) match(urlPath string) (template string, params map[string]string) {
	got := strings.Split(urlPath, "/")
	best := -1
	for _, p := range s.paths {
		if len(p.segments) != len(got) {
			continue
		}
		literal, values := 0, map[string]string{}
		for i, want := range p.segments {
			name, isParam := strings.CutPrefix(want, "{")
			switch {
			case isParam && got[i] != "":
				values[strings.TrimSuffix(name, "}")] = got[i]
			case want == got[i]:
				literal++
			default:
				literal = -1000
			}
		}
		if literal > best {
			best, template, params = literal, p.template, values
		}
	}
	return template, params
}

// operation is the description of one method on one path, nil when there is none.
func (s *spec) operation(method, template string) map[string]any {
	item, _ := s.doc["paths"].(map[string]any)[template].(map[string]any)
	op, _ := item[strings.ToLower(method)].(map[string]any)
	return op
}

// schema compiles what a JSON pointer leads to.
func (s *spec) schema(pointer string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.compiled[pointer]; ok {
		return got, nil
	}
	got, err := s.compiler.Compile(specURL + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("compile %s of Discord's description: %w", pointer, err)
	}
	s.compiled[pointer] = got
	return got, nil
}

// at is the part of the document that a JSON pointer leads to.
func (s *spec) at(pointer string) any {
	found, ok := s.found.Load(pointer)
	if !ok {
		found = s.follow(pointer)
		s.found.Store(pointer, found)
	}
	return found
}

func (s *spec) follow(pointer string) any {
	var v any = s.doc
	for _, key := range strings.Split(pointer, "/")[1:] {
		key = unescape.Replace(key)
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func escapePointer(s string) string { return escape.Replace(s) }

// A replacer is costly to build and safe for use by several goroutines.
var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)
