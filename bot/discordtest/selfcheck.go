package discordtest

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Responses that Discord would never send make tests worthless. In tests its own answers and
// events are compared with the same description.

// checkAnswer compares an answer with the description of the operation.
func (s *spec) checkAnswer(method, template string, a answer) []Problem {
	if a.status == 204 || len(a.body) == 0 || a.fault != nil {
		return nil
	}
	pointer := "/components/responses/ClientErrorResponse"
	switch {
	case a.status == 429:
		pointer = "/components/responses/ClientRatelimitedResponse"
	case a.status == 400:
		a.body = withoutFields(a.body)
	case a.status < 300:
		pointer = "/paths/" + escapePointer(template) + "/" + strings.ToLower(method) + "/responses/" +
			itoa(a.status)
	}
	return s.checkOwn(pointer+"/content/application~1json/schema", a.body)
}

// withoutFields takes the errors by field out of an answer: by its description their codes are numbers, and
// Discord sends words.
func withoutFields(body []byte) []byte {
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil || answer["errors"] == nil {
		return body
	}
	delete(answer, "errors")
	body, _ = json.Marshal(answer) // it was read from JSON
	return body
}

// checkOwn compares something the stand-in sends with a schema.
func (s *spec) checkOwn(pointer string, body []byte) []Problem {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return []Problem{{nil, "JSON", err.Error()}}
	}
	if s.at(pointer) == nil {
		return []Problem{{nil, "DESCRIPTION", "nothing is described at " + pointer}}
	}
	if strings.HasPrefix(pointer, "/components/responses/") {
		found, err := s.violations(pointer, value)
		if err != nil {
			return []Problem{{nil, "DESCRIPTION", err.Error()}}
		}
		return found
	}
	return s.check(pointer, value)
}

// checkInteraction compares the described parts of an interaction event.
func (s *spec) checkInteraction(parts map[string][]byte) []Problem {
	var found []Problem
	for part, schema := range map[string]string{"message": "MessageResponse", "user": "UserResponse",
		"member": "GuildMemberResponse"} {
		if body := parts[part]; body != nil {
			for _, p := range s.checkOwn("/components/schemas/"+schema, body) {
				p.Path = append([]string{part}, p.Path...)
				found = append(found, p)
			}
		}
	}
	if body := parts["channel"]; body != nil {
		found = append(found, s.checkOwn("/paths/~1channels~1{channel_id}/get/responses/200/content/application~1json/schema", body)...)
	}
	return found
}
