package discordtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Error is an error response of Discord's API.
type Error struct {
	Status  int    // of HTTP
	Code    int    // Discord's own
	Message string // in Discord's words
	// Problems are the errors by field, for code 50035.
	Problems []Problem
	header   http.Header
	// retryAfter is set for 429, with the scope in the header.
	retryAfter time.Duration
	// oauth is the whole body where OAuth2 rules instead of Discord.
	oauth map[string]any
}

// Problem is one thing wrong with one field of a request.
type Problem struct {
	Path    []string // keys and positions from the top of the body
	Code    string   // such as BASE_TYPE_MAX_LENGTH
	Message string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s: %s (%s)", strings.Join(p.Path, "."), p.Message, p.Code)
}

func (e *Error) Error() string {
	return fmt.Sprintf("HTTP %d, code %d: %s", e.Status, e.Code, e.Message)
}

// body is what goes over the wire.
func (e *Error) body() map[string]any {
	if e.oauth != nil {
		return e.oauth
	}
	b := map[string]any{"message": e.Message, "code": e.Code}
	if e.retryAfter > 0 {
		b["retry_after"] = e.retryAfter.Seconds()
		b["global"] = e.header.Get("X-RateLimit-Global") != ""
	}
	if len(e.Problems) > 0 {
		tree := map[string]any{}
		for _, p := range e.Problems {
			p.plant(tree)
		}
		b["errors"] = tree
	}
	return b
}

// plant puts a problem at its place in the tree of errors. A field has errors of its own or of what is in
// it, as in Discord's description: those of what is in it are the more exact ones.
func (p Problem) plant(tree map[string]any) {
	for _, key := range p.Path {
		next, ok := tree[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[key] = next
		}
		delete(tree, "_errors")
		tree = next
	}
	list, _ := tree["_errors"].([]any)
	if len(tree) > 0 && list == nil {
		return
	}
	tree["_errors"] = append(list, map[string]any{"code": p.Code, "message": p.Message})
}

// The errors that the stand-in returns, by Discord's code.
var apiErrors = map[int]struct {
	status  int
	message string
}{
	10003:  {404, "Unknown Channel"},
	10004:  {404, "Unknown Guild"},
	10007:  {404, "Unknown Member"},
	10011:  {404, "Unknown Role"},
	10066:  {404, "Unknown application command permissions"},
	10087:  {404, "Unknown tag"},
	10008:  {404, "Unknown Message"},
	10014:  {404, "Unknown Emoji"},
	10013:  {404, "Unknown User"},
	10015:  {404, "Unknown Webhook"},
	10002:  {404, "Unknown Application"},
	10062:  {404, "Unknown interaction"},
	10063:  {404, "Unknown application command"},
	20012:  {403, "You are not authorized to perform this action on this application"},
	30005:  {400, "Maximum number of server roles reached (250)"},
	30008:  {400, "Maximum number of emojis reached (2000)"},
	30032:  {400, "Maximum number of application commands reached (100)."},
	30034:  {400, "Max number of daily application command creates has been reached (200)"},
	30046:  {429, "Maximum number of edits to messages older than 1 hour reached. Try again later"},
	40003:  {403, "You are opening direct messages too fast."},
	40033:  {400, "This message has already been crossposted"},
	40060:  {400, "Interaction has already been acknowledged."},
	40067:  {400, "A tag is required to create a forum post in this channel"},
	40094:  {400, "This interaction has reached the maximum number of follow-up messages"},
	50001:  {403, "Missing Access"},
	50005:  {403, "Cannot edit a message authored by another user"},
	50006:  {400, "Cannot send an empty message"},
	50007:  {403, "Cannot send messages to this user"},
	50008:  {400, "Cannot send messages in a non-text channel"},
	50024:  {400, "Cannot execute action on this channel type"},
	50083:  {400, "Thread is archived"},
	160002: {403, "Cannot reply without permission to read message history"},
	160004: {400, "A thread has already been created for this message"},
	160005: {400, "Thread is locked"},
	160006: {400, "Maximum number of active threads reached"},
	50013:  {403, "Missing Permissions"},
	50025:  {401, "Invalid OAuth2 access token"},
	50027:  {401, "Invalid Webhook Token"},
	50033:  {400, "Invalid Recipient(s)"},
	50035:  {400, "Invalid Form Body"},
	50109:  {400, "The request body contains invalid JSON."},
	50278:  {403, "Cannot send messages to this user due to having no mutual guilds"},
}

// refuse returns the error with Discord's code.
func refuse(code int) *Error {
	r, ok := apiErrors[code]
	if !ok {
		panic("discordtest: no error with code " + strconv.Itoa(code))
	}
	return &Error{Status: r.status, Code: code, Message: r.message}
}

func badForm(problems ...Problem) *Error {
	e := refuse(50035)
	e.Problems = problems
	return e
}

// plainError returns an error without a Discord code, such as "404: Not Found".
func plainError(status int) *Error {
	return &Error{Status: status, Message: fmt.Sprintf("%d: %s", status, http.StatusText(status))}
}

// Violation is a request that Discord's description, or a limit from its documentation, forbids.
type Violation struct {
	// Own is true when the stand-in itself broke Discord's description: a bug in this package.
	Own      bool
	Route    string // such as "POST /channels/{channel_id}/messages"
	Body     string
	Problems []Problem
}

func (v Violation) String() string {
	all := make([]string, len(v.Problems))
	for i, p := range v.Problems {
		all[i] = p.String()
	}
	body := v.Body
	if len(body) > 2000 {
		body = body[:2000] + "…"
	}
	who := "the bot sent what Discord does not accept"
	if v.Own {
		who = "the stand-in sent what Discord would not"
	}
	return fmt.Sprintf("%s: %s\n\t%s\n\tbody: %s", who, v.Route, strings.Join(all, "\n\t"), body)
}

// Violations are the requests so far that Discord's description or limits forbid.
func (d *Discord) Violations() []Violation {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.violations)
}

func itoa(i int) string { return strconv.Itoa(i) }
