package discordtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// View is a message as a user sees it, at the time they looked. Now looks again.
type View struct {
	Message
	Deleted bool

	p        *Player
	m        *message
	revision int
}

// view takes a picture of a message.
func (p *Player) view(m *message) *View {
	return &View{Message: picture(m), p: p, m: m, revision: m.Revision, Deleted: m.Deleted}
}

// picture is a deep copy: the message may change while the test looks at it.
func picture(m *message) (copied Message) {
	data, _ := json.Marshal(m.Message)
	_ = json.Unmarshal(data, &copied)
	return copied
}

// Private is true for a message that only one person sees.
func (v *View) Private() bool { return v.Flags&flagEphemeral != 0 }

// Loading is true while the bot "is thinking".
func (v *View) Loading() bool { return v.Flags&flagLoading != 0 }

// Now returns the current message.
func (v *View) Now() *View {
	v.p.d.mu.Lock()
	defer v.p.d.mu.Unlock()
	return v.p.view(v.m)
}

// WaitEdit waits until the message has been edited or deleted since this view of it, and looks again.
func (v *View) WaitEdit() *View {
	v.p.t.Helper()
	return v.WaitFor("an edit", func(now *View) bool { return now.revision > v.revision })
}

// WaitFor waits until the message is as wanted.
func (v *View) WaitFor(what string, wanted func(*View) bool) *View {
	v.p.t.Helper()
	var now *View
	ctx, cancel := v.p.d.patience()
	defer cancel()
	if !v.p.d.await(ctx, func() bool { now = v.p.view(v.m); return wanted(now) }) {
		v.p.t.Fatalf("waited %s for %s of the message %q", v.p.d.opts.Patience, what, now.Text())
	}
	return now
}

// Text is everything there is to read in the message, line by line: content, embeds, text displays.
func (v *View) Text() string {
	var lines []string
	add := func(text string) {
		if text != "" {
			lines = append(lines, text)
		}
	}
	add(v.Content)
	for _, e := range v.Embeds {
		if e.Author != nil {
			add(e.Author.Name)
		}
		add(e.Title)
		add(e.Description)
		for _, f := range e.Fields {
			add(f.Name + ": " + f.Value)
		}
		if e.Footer != nil {
			add(e.Footer.Text)
		}
	}
	walk(v.Components, nil, func(c *Component, _ []string) { add(c.Content) })
	return strings.Join(lines, "\n")
}

// Cards are the frames of the message.
func (v *View) Cards() (all []Component) {
	for _, c := range v.Components {
		if c.Type == Container {
			all = append(all, c)
		}
	}
	return all
}

// Buttons are the buttons' labels, in order. A button without a label is given by its emoji.
func (v *View) Buttons() []string {
	var list []string
	walk(v.Components, nil, func(c *Component, _ []string) {
		if c.Type == ButtonKind {
			list = append(list, c.title())
		}
	})
	return list
}

func (c *Component) title() string {
	if c.Label == "" && c.Emoji != nil {
		return c.Emoji.Name
	}
	return c.Label
}

// Button finds a button by its label (or emoji). A test that names one that is not there fails.
func (v *View) Button(label string) *Button {
	v.p.t.Helper()
	var found *Component
	walk(v.Components, nil, func(c *Component, _ []string) {
		if c.Type == ButtonKind && found == nil && c.title() == label {
			found = c
		}
	})
	if found == nil {
		v.p.t.Fatalf("no button %q on the message %q, only %q", label, v.Text(), v.Buttons())
		return nil
	}
	return &Button{Component: *found, on: v}
}

// List finds a select menu by its placeholder or custom id; empty finds the only one.
func (v *View) List(name string) *List {
	v.p.t.Helper()
	var all []Component
	var names []string
	walk(v.Components, nil, func(c *Component, _ []string) {
		if c.Type.selects() {
			names = append(names, c.Placeholder)
			if name == "" || c.Placeholder == name || c.CustomID == name {
				all = append(all, *c)
			}
		}
	})
	if len(all) != 1 {
		v.p.t.Fatalf("%d lists %q on the message %q, which has %q", len(all), name, v.Text(), names)
		return nil
	}
	return &List{Component: all[0], on: v}
}

// Pictures are the addresses of the pictures, in order.
func (v *View) Pictures() (all []string) {
	walk(v.Components, nil, func(c *Component, _ []string) {
		c.pictures(nil, func(m *Media, _ []string) { all = append(all, m.URL) })
	})
	return all
}

// Lists are the placeholders of the select menus, in order.
func (v *View) Lists() []string {
	var names []string
	walk(v.Components, nil, func(c *Component, _ []string) {
		if c.Type.selects() {
			names = append(names, c.Placeholder)
		}
	})
	return names
}

// Button is a button on a message.
type Button struct {
	Component
	on *View
}

// Press presses the button and waits for the answer.
func (b *Button) Press() *Reply { b.on.p.t.Helper(); return b.StartPress().Reply() }

// PressAs presses it as another user.
func (b *Button) PressAs(p *Player) *Reply {
	p.t.Helper()
	return p.start(func() (*interaction,
		error) {
		return p.d.press(p.u, b.on.m, b.CustomID, nil, false)
	}).Reply()
}

// StartPress presses the button and does not wait.
func (b *Button) StartPress() *Pending {
	b.on.p.t.Helper()
	p := b.on.p
	return p.start(func() (*interaction, error) { return p.d.press(p.u, b.on.m, b.CustomID, nil, false) })
}

// List is a select menu on a message.
type List struct {
	Component
	on *View
}

// Labels are what can be chosen.
func (l *List) Labels() []string {
	all := make([]string, len(l.Options))
	for i, o := range l.Options {
		all[i] = o.Label
	}
	return all
}

// Choose picks by labels or values and waits for the answer.
func (l *List) Choose(what ...string) *Reply {
	l.on.p.t.Helper()
	return l.ChooseAs(l.on.p, what...)
}

// ChooseAs chooses as another user.
func (l *List) ChooseAs(p *Player, what ...string) *Reply {
	p.t.Helper()
	return p.start(func() (*interaction,
		error) {
		return p.d.press(p.u, l.on.m, l.CustomID, what, false)
	}).Reply()
}

// StartChoose picks and does not wait.
func (l *List) StartChoose(what ...string) *Pending {
	l.on.p.t.Helper()
	p := l.on.p
	return p.start(func() (*interaction, error) { return p.d.press(p.u, l.on.m, l.CustomID, what, false) })
}

// Reply is the bot's answer to what a user did: a message (new, or the one that was acted on), or a modal.
type Reply struct {
	*View
	Kind     int // of the first answer: AnswerMessage and so on
	Deferred bool
	Modal    *ModalView // nil when the answer is not a modal
	// Said are the texts of the answer, of its edits and of what followed it, as they were sent: the bot
	// may have edited the same message for another reason since, as it does with a direct message.
	Said []string

	p *Player
	i *interaction
}

// Updated is true where the answer changed the message that was acted on.
func (r *Reply) Updated() bool { return r.Kind == AnswerUpdate || r.Kind == AnswerDeferredUpdate }

// FollowUps are the messages after the first answer.
func (r *Reply) FollowUps() []*View {
	r.p.d.mu.Lock()
	defer r.p.d.mu.Unlock()
	var list []*View
	for _, m := range r.i.followUps {
		if !m.Deleted {
			list = append(list, r.p.view(m))
		}
	}
	return list
}

// WaitFollowUps waits for n messages after the first answer.
func (r *Reply) WaitFollowUps(n int) []*View {
	r.p.t.Helper()
	ctx, cancel := r.p.d.patience()
	defer cancel()
	if !r.p.d.await(ctx, func() bool { return len(r.i.followUps) >= n }) {
		r.p.t.Fatalf("waited %s for %d follow-ups to %s, there are %d", r.p.d.opts.Patience, n, r.i.what,
			len(r.FollowUps()))
	}
	return r.FollowUps()
}

// ModalView is an open modal.
type ModalView struct {
	Modal
	p *Player
	i *interaction
}

// With gives the modal for another test, such as a subtest.
func (m *ModalView) With(t TB) *ModalView {
	other := *m
	other.p = m.p.With(t)
	return &other
}

// Field is a part of the modal by label or custom id, with its current value.
func (m *ModalView) Field(name string) *Component {
	m.p.t.Helper()
	var names []string
	for _, part := range m.Components {
		for _, c := range append(slices.Clone(part.Components), part.inner()...) {
			label := part.Label
			if part.Type == ActionRow {
				label = c.Label
			}
			if label == name || c.CustomID == name {
				return &c
			}
			names = append(names, fmt.Sprintf("%s (%s)", label, c.CustomID))
		}
	}
	m.p.t.Fatalf("no field %q in the modal %q, only %s", name, m.Title, strings.Join(names, ", "))
	return nil
}

func (c *Component) inner() []Component {
	if c.Component == nil {
		return nil
	}
	return []Component{*c.Component}
}

// Submit fills fields in, by label or custom id, sends the modal and waits for the answer. Fields left out
// keep what was in them; several choices of one field are one per line.
func (m *ModalView) Submit(fields map[string]string) *Reply {
	m.p.t.Helper()
	return m.StartSubmit(fields).Reply()
}

// StartSubmit sends the modal and does not wait.
func (m *ModalView) StartSubmit(fields map[string]string) *Pending {
	m.p.t.Helper()
	return m.p.start(func() (*interaction, error) { return m.p.d.submit(m.i, fields, false) })
}

// ForgeSubmit sends what no client would send.
func (m *ModalView) ForgeSubmit(fields map[string]string) *Reply {
	m.p.t.Helper()
	return m.p.start(func() (*interaction, error) { return m.p.d.submit(m.i, fields, true) }).Reply()
}

// plain turns a choice's value into one of Go's.
func plain(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	f, _ := n.Float64()
	return f
}

// LastReply is the last message that the bot has sent or edited in answer to an interaction.
func (d *Discord) LastReply(t TB) *View {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range slices.Backward(d.world.Messages) {
		if m.Token != "" {
			return (&Player{d: d, t: t, u: d.world.userByID(m.Interaction.User.ID)}).view(m)
		}
	}
	t.Fatalf("the bot has answered nothing yet")
	return nil
}

// DMs are the direct messages that a user has from the bot, whether or not they are deleted; answers to
// commands typed in the DM are not among them.
func (d *Discord) DMs(who string) []Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	u := d.world.user(who)
	if u == nil || d.world.dm(u.ID) == nil {
		return nil
	}
	return d.copies(func(m *message) bool {
		return m.ChannelID == d.world.dm(u.ID).ID && m.Token == "" && m.Author.ID == d.world.bot().ID
	})
}

// Messages are all messages of a channel (by id or name), ephemeral and deleted ones too.
func (d *Discord) Messages(channel string) []Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.world.channel(channel)
	if c == nil {
		return nil
	}
	return d.copies(func(m *message) bool { return m.ChannelID == c.ID })
}

func (d *Discord) copies(wanted func(*message) bool) []Message {
	var list []Message
	for _, m := range d.world.Messages {
		if wanted(m) {
			list = append(list, m.Message)
		}
	}
	return list
}
