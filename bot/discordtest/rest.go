package discordtest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// endpoint answers one operation. It runs with the lock held. A nil answer without an error is 204.
type endpoint func(*call) (any, *Error)

// call is one request on its way through an endpoint.
type call struct {
	*Discord
	params map[string]string
	query  url.Values
	body   []byte
	form   url.Values // instead of a JSON body, for the sign-in endpoints
	basic  [2]string  // user and password of basic authentication
	grant  *grant     // of a Bearer token
	found  []Problem  // what the endpoint has against the request, to be reported
	status int
}

// table leads to the endpoints, by method and template of Discord's description.
func (d *Discord) table() map[string]endpoint {
	return map[string]endpoint{
		"GET /gateway":     (*call).getGateway,
		"GET /gateway/bot": (*call).getGatewayBot,

		"GET /users/@me":           (*call).getMe,
		"GET /users/@me/guilds":    (*call).getMyGuilds,
		"POST /users/@me/channels": (*call).createDM,
		"GET /users/{user_id}":     (*call).getUser,

		"GET /guilds/{guild_id}":                                      (*call).getGuild,
		"GET /guilds/{guild_id}/channels":                             (*call).getGuildChannels,
		"GET /guilds/{guild_id}/members/{user_id}":                    (*call).getMember,
		"GET /guilds/{guild_id}/roles":                                (*call).getRoles,
		"POST /guilds/{guild_id}/roles":                               (*call).createRole,
		"DELETE /guilds/{guild_id}/roles/{role_id}":                   (*call).deleteRole,
		"PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}":    (*call).giveRole,
		"DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}": (*call).takeRole,
		"GET /guilds/{guild_id}/threads/active":                       (*call).activeThreads,

		"GET /channels/{channel_id}":                                       (*call).getChannel,
		"PATCH /channels/{channel_id}":                                     (*call).editChannel,
		"DELETE /channels/{channel_id}":                                    (*call).deleteChannel,
		"POST /channels/{channel_id}/threads":                              (*call).createThread,
		"POST /channels/{channel_id}/messages/{message_id}/threads":        (*call).createThreadOnMessage,
		"POST /channels/{channel_id}/messages/{message_id}/crosspost":      (*call).crosspost,
		"GET /channels/{channel_id}/thread-members":                        (*call).threadMembers,
		"GET /channels/{channel_id}/thread-members/{user_id}":              (*call).threadMember,
		"PUT /channels/{channel_id}/thread-members/{user_id}":              (*call).addToThread,
		"DELETE /channels/{channel_id}/thread-members/{user_id}":           (*call).removeFromThread,
		"POST /channels/{channel_id}/typing":                               (*call).typing,
		"GET /channels/{channel_id}/messages":                              (*call).listMessages,
		"POST /channels/{channel_id}/messages":                             (*call).createMessage,
		"GET /channels/{channel_id}/messages/{message_id}":                 (*call).getMessage,
		"PATCH /channels/{channel_id}/messages/{message_id}":               (*call).editMessage,
		"DELETE /channels/{channel_id}/messages/{message_id}":              (*call).deleteMessage,
		"POST /interactions/{interaction_id}/{interaction_token}/callback": (*call).callback,

		"POST /webhooks/{webhook_id}/{webhook_token}":                         (*call).followUp,
		"GET /webhooks/{webhook_id}/{webhook_token}/messages/@original":       (*call).getAnswer,
		"PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original":     (*call).editAnswer,
		"DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original":    (*call).deleteAnswer,
		"GET /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}":    (*call).getAnswer,
		"PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}":  (*call).editAnswer,
		"DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": (*call).deleteAnswer,

		"GET /applications/{application_id}/commands":                                   (*call).listCommands,
		"PUT /applications/{application_id}/commands":                                   (*call).overwriteCommands,
		"POST /applications/{application_id}/commands":                                  (*call).createCommand,
		"GET /applications/{application_id}/commands/{command_id}":                      (*call).getCommand,
		"DELETE /applications/{application_id}/commands/{command_id}":                   (*call).deleteCommand,
		"GET /applications/{application_id}/guilds/{guild_id}/commands":                 (*call).listCommands,
		"PUT /applications/{application_id}/guilds/{guild_id}/commands":                 (*call).overwriteCommands,
		"POST /applications/{application_id}/guilds/{guild_id}/commands":                (*call).createCommand,
		"GET /applications/{application_id}/guilds/{guild_id}/commands/{command_id}":    (*call).getCommand,
		"DELETE /applications/{application_id}/guilds/{guild_id}/commands/{command_id}": (*call).deleteCommand,

		"GET /applications/{application_id}/guilds/{guild_id}/commands/permissions":              (*call).overridesOfAll,
		"GET /applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions": (*call).overridesOfOne,

		"GET /applications/{application_id}/emojis":               (*call).listEmojis,
		"POST /applications/{application_id}/emojis":              (*call).createEmoji,
		"GET /applications/{application_id}/emojis/{emoji_id}":    (*call).getEmoji,
		"PATCH /applications/{application_id}/emojis/{emoji_id}":  (*call).renameEmoji,
		"DELETE /applications/{application_id}/emojis/{emoji_id}": (*call).deleteEmoji,

		"GET /applications/@me":        (*call).getApplication,
		"GET /oauth2/applications/@me": (*call).getApplication,
		"GET /oauth2/@me":              (*call).getAuthorization,

		// Discord's description leaves these out: they speak OAuth2 and take forms.
		"POST /oauth2/token":        (*call).token,
		"POST /oauth2/token/revoke": (*call).revoke,
	}
}

var (
	versioned = regexp.MustCompile(`^/api(?:/v(\d+))?(/.*)$`)
	agent     = regexp.MustCompile(`^DiscordBot \(\S+, \S+\)`)
)

// cloudflare is the page of the wall in front of Discord.
const cloudflare = `<!DOCTYPE html><html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>` +
	`<body><h1>Error 1015</h1><p>The owner of this website (discord.com) has banned you temporarily from accessing this website.</p></body></html>`

// serveREST validates, authorizes and rate limits a request, then calls its endpoint.
func (d *Discord) serveREST(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 26<<20))
	if err != nil {
		http.Error(w, "the body did not arrive", http.StatusBadRequest)
		return
	}
	parts := versioned.FindStringSubmatch(r.URL.Path)
	if parts == nil {
		http.NotFound(w, r)
		return
	}
	template, params := d.spec.match(parts[2])
	if strings.HasPrefix(parts[2], "/oauth2/token") {
		template = parts[2]
	}
	rec := d.recordRequest(r, template, parts[2], params, body)
	defer func() {
		d.mu.Lock()
		d.landed(rec)
		d.mu.Unlock()
	}()
	answer := d.respond(r, rec, parts[1], template, params, body)
	d.deliver(w, r, rec, answer)
}

// answer is a response before faults have had their way with it.
type answer struct {
	status int
	header http.Header
	body   []byte
	fault  *Fault
}

func jsonAnswer(status int, v any) answer {
	a := answer{status: status, header: http.Header{"Content-Type": {"application/json"},
		"Via": {"1.1 google"}}}
	if v != nil {
		a.body, _ = json.Marshal(v) // only shapes of this package
	}
	return a
}

func errorAnswer(e *Error) answer {
	a := jsonAnswer(e.Status, e.body())
	maps.Copy(a.header, e.header)
	return a
}

func (d *Discord) respond(
	r *http.Request, rec *Request, version, template string, params map[string]string, body []byte,
) answer {
	oauth := strings.HasPrefix(template, "/oauth2/token")
	scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	ours := scheme != "Bearer" && !oauth
	if ua := r.Header.Get("User-Agent"); ua == "" || ours && !agent.MatchString(ua) {
		d.violate(rec, Problem{[]string{"User-Agent"}, "USER_AGENT",
			"must be DiscordBot (url, version), is " + ua})
		return answer{status: http.StatusForbidden, header: http.Header{"Content-Type": {"text/html"}},
			body: []byte(cloudflare)}
	}
	if version != "9" && version != "10" && !(oauth && version == "") {
		d.violate(rec, Problem{[]string{"path"}, "API_VERSION", "must carry v9 or v10"})
		return errorAnswer(&Error{Status: 400, Code: 50041, Message: "Invalid API version"})
	}
	if d.banned() {
		return Banning(10 * time.Minute).answer()
	}
	fault := d.strike(r, rec)
	if fault != nil && fault.instead() {
		a := fault.answer()
		a.fault = fault
		return a
	}
	a := d.perform(r, rec, template, params, body, scheme, credentials)
	a.fault = fault
	return a
}

// perform checks a request and runs its endpoint.
func (d *Discord) perform(
	r *http.Request, rec *Request, template string, params map[string]string, body []byte,
	scheme, credentials string,
) answer {
	endpoint, implemented := d.routes[rec.Route]
	op := d.spec.operation(r.Method, template)
	switch {
	case template == "":
		d.violate(rec, Problem{[]string{"path"}, "UNKNOWN_PATH", "Discord has no such address"})
		return errorAnswer(plainError(http.StatusNotFound))
	case op == nil && !implemented:
		d.violate(rec, Problem{[]string{"path"}, "UNKNOWN_METHOD", "Discord does not take this method here"})
		return errorAnswer(plainError(http.StatusMethodNotAllowed))
	case !implemented:
		d.violate(rec, Problem{[]string{"path"}, "NOT_IMPLEMENTED",
			"the stand-in does not implement this endpoint"})
		return errorAnswer(plainError(http.StatusNotFound))
	}
	c := &call{Discord: d, params: params, query: r.URL.Query(), body: body, status: http.StatusOK}
	if op == nil {
		if apiErr := c.readForm(r); apiErr != nil {
			d.violate(rec, apiErr.Problems...)
			return errorAnswer(apiErr)
		}
	} else if apiErr := c.readJSON(r, template); apiErr != nil {
		d.violate(rec, apiErr.Problems...)
		return errorAnswer(apiErr)
	}
	result, apiErr := func() (any, *Error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if apiErr := d.authorise(c, op, scheme, credentials); apiErr != nil {
			return nil, apiErr
		}
		if apiErr := d.limits.take(d.now(), rec); apiErr != nil {
			return nil, apiErr
		}
		result, apiErr := endpoint(c)
		if apiErr != nil {
			return nil, apiErr
		}
		d.announce()
		// Shapes are marshalled here because they share memory with the state.
		data, _ := json.Marshal(result)
		return json.RawMessage(data), nil
	}()
	var a answer
	switch {
	case apiErr != nil:
		if apiErr.Code == 50035 {
			c.found = append(c.found, apiErr.Problems...)
		}
		a = errorAnswer(apiErr)
	case string(result.(json.RawMessage)) == "null" && c.status == http.StatusOK:
		a = answer{status: http.StatusNoContent, header: http.Header{}}
	default:
		a = jsonAnswer(c.status, result)
	}
	d.violate(rec, append(c.found, d.checkPlaces(body)...)...)
	if d.opts.checkOwn && op != nil {
		d.doubt(rec.Route, a.body, d.spec.checkAnswer(r.Method, template, a))
	}
	d.mu.Lock()
	d.limits.headers(a.header, d.now(), rec)
	d.mu.Unlock()
	return a
}

// readJSON reads the body and compares the request with Discord's description.
func (c *call) readJSON(r *http.Request, template string) *Error {
	var value any
	if len(c.body) > 0 {
		if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
			return badForm(Problem{[]string{"Content-Type"}, "CONTENT_TYPE",
				"the stand-in takes application/json here, not " + kind})
		}
		var err error
		if value, err = jsonschema.UnmarshalJSON(bytes.NewReader(c.body)); err != nil {
			e := refuse(50109)
			e.Problems = []Problem{{nil, "JSON", err.Error()}}
			return e
		}
	}
	if found := c.spec.checkRequest(r.Method, template, c.params, c.query, value,
		len(c.body) > 0); len(found) > 0 {
		return badForm(found...)
	}
	return nil
}

// readForm reads what the sign-in endpoints take: forms and nothing else.
func (c *call) readForm(r *http.Request) *Error {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"),
		";"); kind != "application/x-www-form-urlencoded" {
		return badForm(Problem{[]string{"Content-Type"}, "CONTENT_TYPE",
			"Discord takes a form here, not " + kind})
	}
	form, err := url.ParseQuery(string(c.body))
	if err != nil {
		return badForm(Problem{nil, "FORM", err.Error()})
	}
	c.form = form
	c.basic[0], c.basic[1], _ = r.BasicAuth()
	return nil
}

// authorise admits a request by what the description says of the operation: anybody, the bot, or a person's
// token.
func (d *Discord) authorise(c *call, op map[string]any, scheme, credentials string) *Error {
	if op == nil {
		return nil
	}
	bot, person := false, false
	ways, _ := op["security"].([]any)
	for _, way := range ways {
		kinds := way.(map[string]any)
		if len(kinds) == 0 {
			return nil
		}
		_, ok := kinds["BotToken"]
		bot = bot || ok
		_, ok = kinds["OAuth2"]
		person = person || ok
	}
	switch scheme {
	case "Bot":
		if bot && credentials == d.world.App.Token && !d.world.App.Revoked {
			return nil
		}
	case "Bearer":
		if g := d.grantFor(credentials); person && g != nil {
			c.grant = g
			return nil
		}
	}
	return plainError(http.StatusUnauthorized)
}

// violate notes and reports what a request has wrong. It takes the lock itself.
func (d *Discord) violate(rec *Request, problems ...Problem) {
	if len(problems) == 0 {
		return
	}
	v := Violation{Route: rec.Route, Body: string(rec.Body), Problems: slices.Clone(problems)}
	if v.Route == "" {
		v.Route = rec.Method + " " + rec.Path
	}
	d.mu.Lock()
	d.violations = append(d.violations, v)
	d.mu.Unlock()
	d.opts.OnViolation(v)
}

// doubt reports what the stand-in itself has sent wrong. It takes the lock itself.
func (d *Discord) doubt(what string, body []byte, problems []Problem) {
	if len(problems) == 0 {
		return
	}
	v := Violation{Own: true, Route: what, Body: string(body), Problems: problems}
	d.mu.Lock()
	d.violations = append(d.violations, v)
	d.mu.Unlock()
	d.opts.OnViolation(v)
}

// decode reads a body that has passed the description.
func (c *call) decode(into any) *Error {
	if len(c.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		return badForm(Problem{nil, "JSON", err.Error()})
	}
	return nil
}
