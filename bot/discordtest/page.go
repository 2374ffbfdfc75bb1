package discordtest

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

//go:embed page/index.html page/*.css page/*.js
var pageFiles embed.FS

func pageHeaders(w http.ResponseWriter) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")
}

// pageRoutes serves the page and its own interface, under a prefix that the real Discord does not have.
func (d *Discord) pageRoutes(mux *http.ServeMux) {
	files, _ := fs.Sub(pageFiles, "page") // embedded, so it is there
	static := http.FileServerFS(files)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		pageHeaders(w)
		static.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /_standin/{file}", func(w http.ResponseWriter, r *http.Request) {
		pageHeaders(w)
		http.StripPrefix("/_standin", static).ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /_standin/emojis/{emoji}", d.pageEmoji)
	mux.HandleFunc("GET /_standin/state", d.pageState)
	mux.HandleFunc("GET /_standin/events", d.pageEvents)
	acts := map[string]func(context.Context, *http.Request) (any, error){
		"command":  act(d.pageCommand),
		"complete": act(d.pageComplete),
		"press":    act(d.pagePress),
		"submit":   act(d.pageSubmit),
		"say":      act(d.pageSay),
		"read":     act(d.pageRead),
		"dismiss":  act(d.pageDismiss),
		"settings": act(d.pageSettings),
		"join":     act(d.pageJoin),
	}
	guard := http.NewCrossOriginProtection()
	for name, run := range acts {
		mux.Handle("POST /_standin/"+name,
			guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				pageHeaders(w)
				result, err := run(r.Context(), r)
				if err != nil {
					writeJSON(w, http.StatusUnprocessableEntity, map[string]string{"error": err.Error()})
					return
				}
				writeJSON(w, http.StatusOK, result)
			})))
	}
}

// act reads what the page sends for an action.
func act[In any](
	do func(context.Context, In) (any, error),
) func(context.Context, *http.Request) (any, error) {
	return func(ctx context.Context, r *http.Request) (any, error) {
		var in In
		dec := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20))
		dec.UseNumber()
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("read the request: %w", err)
		}
		return do(ctx, in)
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a page that is gone has no use for it
}

// pageEvents tells the page each time something has changed; it then asks for the state again.
func (d *Discord) pageEvents(w http.ResponseWriter, r *http.Request) {
	pageHeaders(w)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	quiet := time.NewTicker(20 * time.Second)
	defer quiet.Stop()
	for {
		d.mu.Lock()
		changed := d.changed
		d.mu.Unlock()
		if _, err := fmt.Fprint(w, "event: change\ndata: {}\n\n"); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-changed:
			// A burst of changes is one change to the page.
			select {
			case <-time.After(30 * time.Millisecond):
			case <-r.Context().Done():
				return
			case <-d.ctx.Done():
				return
			}
		case <-quiet.C:
		case <-r.Context().Done():
			return
		case <-d.ctx.Done():
			return
		}
	}
}

// actor is who does something on the page, and where.
type actor struct {
	Player  string `json:"player"`
	Channel string `json:"channel"`
}

var errGone = errors.New("that is no longer here")

func (d *Discord) actor(a actor) (*user, *channel, error) {
	u := d.world.userByID(a.Player)
	if u == nil || u.Bot {
		return nil, nil, errors.New("no player is selected")
	}
	if a.Channel == "" || a.Channel == "dm" {
		return u, d.openDM(u.ID), nil
	}
	c := d.world.channel(a.Channel)
	if c == nil || d.world.permissionsIn(u, c)&permViewChannel == 0 {
		return nil, nil, errGone
	}
	return u, c, nil
}

// options converts the page's form into options of a command. A form knows only texts: the command
// says what each of them is.
func (d *Discord) options(u *user, c *channel, command string, fields map[string]any) ([]Option, error) {
	_, known, _, err := d.target(u, c, command)
	if err != nil {
		return nil, err
	}
	var list []Option
	for _, o := range known {
		v, ok := fields[o.Name]
		if !ok || v == "" || v == nil {
			continue
		}
		if n, isNumber := v.(json.Number); isNumber {
			v = plain(n)
		}
		if text, isText := v.(string); isText {
			switch o.Type {
			case OptionInteger, OptionNumber:
				n := json.Number(strings.TrimSpace(text))
				if !json.Valid([]byte(n)) {
					break
				}
				v = plain(n)
			case OptionBoolean:
				v = text == "true"
			}
		}
		list = append(list, Option{o.Name, v, o.Type})
	}
	return list, nil
}

func (d *Discord) pageCommand(ctx context.Context, in struct {
	actor
	Command string         `json:"command"`
	Options map[string]any `json:"options"`
}) (any, error) {
	return d.outcome(ctx, func() (*interaction, error) {
		u, c, err := d.actor(in.actor)
		if err != nil {
			return nil, err
		}
		given, err := d.options(u, c, in.Command, in.Options)
		if err != nil {
			return nil, err
		}
		return d.slash(u, c, in.Command, given, false)
	})
}

func (d *Discord) pageComplete(ctx context.Context, in struct {
	actor
	Command string         `json:"command"`
	Option  string         `json:"option"`
	Typed   string         `json:"typed"`
	Options map[string]any `json:"options"`
}) (any, error) {
	return d.outcome(ctx, func() (*interaction, error) {
		u, c, err := d.actor(in.actor)
		if err != nil {
			return nil, err
		}
		given, err := d.options(u, c, in.Command, in.Options)
		if err != nil {
			return nil, err
		}
		return d.autocomplete(u, c, in.Command, in.Option, in.Typed, given)
	})
}

func (d *Discord) pagePress(ctx context.Context, in struct {
	actor
	Message  string   `json:"message"`
	CustomID string   `json:"customId"`
	Values   []string `json:"values"`
}) (any, error) {
	return d.outcome(ctx, func() (*interaction, error) {
		u, _, err := d.actor(in.actor)
		if err != nil {
			return nil, err
		}
		m := d.world.find(in.Message)
		if m == nil {
			return nil, errGone
		}
		return d.press(u, m, in.CustomID, in.Values, false)
	})
}

func (d *Discord) pageSubmit(ctx context.Context, in struct {
	actor
	Interaction string            `json:"interaction"`
	Fields      map[string]string `json:"fields"`
}) (any, error) {
	return d.outcome(ctx, func() (*interaction, error) {
		for _, opener := range d.interactions {
			if opener.id == in.Interaction && opener.modal != nil && opener.user.ID == in.Player {
				return d.submit(opener, in.Fields, false)
			}
		}
		return nil, errGone
	})
}

// outcome does something and waits for the bot's first answer, as long as a person would.
func (d *Discord) outcome(ctx context.Context, do func() (*interaction, error)) (any, error) {
	d.mu.Lock()
	i, err := do()
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	d.await(ctx, func() bool { return i.answer != 0 || d.late(i) })
	d.mu.Lock()
	defer d.mu.Unlock()
	if i.answer == 0 {
		return nil, errors.New("The application did not respond") // Discord's own words, shown to people
	}
	result := map[string]any{"interaction": i.id, "kind": i.answer}
	if i.modal != nil {
		modal := *i.modal
		result["modal"] = modal
	}
	if i.answer == AnswerChoices {
		result["choices"] = i.choices
		if i.choices == nil {
			result["choices"] = []Choice{}
		}
	}
	if i.original != nil {
		result["message"] = i.original.ID
	}
	data, err := json.Marshal(result) // now, under the lock
	return json.RawMessage(data), err
}

func (d *Discord) pageSay(_ context.Context, in struct {
	actor
	Text string `json:"text"`
}) (any, error) {
	text := strings.TrimSpace(in.Text)
	if text == "" || length(text) > maxContent {
		return nil, fmt.Errorf("a message has 1 to %d characters", maxContent)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u, c, err := d.actor(in.actor)
	if err != nil {
		return nil, err
	}
	m := d.say(u, c, text)
	c.read(u.ID, m.ID)
	return map[string]string{"message": m.ID}, nil
}

func (c *channel) read(userID, messageID string) bool {
	if c.Read == nil {
		c.Read = map[string]string{}
	}
	if was := c.Read[userID]; was != "" && !before(was, messageID) {
		return false
	}
	c.Read[userID] = messageID
	return true
}

func (d *Discord) pageRead(_ context.Context, in struct {
	actor
	Message string `json:"message"`
}) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	u, c, err := d.actor(in.actor)
	if err != nil {
		return nil, err
	}
	if isID(in.Message) && c.read(u.ID, in.Message) {
		d.announce()
	}
	return map[string]bool{"ok": true}, nil
}

// pageDismiss takes an ephemeral message off the screen of its reader.
func (d *Discord) pageDismiss(_ context.Context, in struct {
	actor
	Message string `json:"message"`
}) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.world.find(in.Message)
	if m == nil || m.Reader != in.Player {
		return nil, errGone
	}
	d.remove(m)
	return map[string]bool{"ok": true}, nil
}

func (d *Discord) pageSettings(_ context.Context, in struct {
	actor
	Locale    *string `json:"locale"`
	DMsClosed *bool   `json:"dmsClosed"`
}) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	u, _, err := d.actor(in.actor)
	if err != nil {
		return nil, err
	}
	if in.Locale != nil {
		u.Locale = *in.Locale
	}
	if in.DMsClosed != nil {
		u.DMsClosed = *in.DMsClosed
	}
	d.announce()
	return map[string]bool{"ok": true}, nil
}
