package discordtest

import (
	"fmt"
	"slices"
	"strings"
)

// Player is a person at their Discord client, for a test: everything they do fails the test when a real
// client could not do it, or when the bot does not answer in time.
type Player struct {
	d       *Discord
	t       TB
	u       *user
	channel string // where they type; empty: their DM with the bot
	seen    *map[string]bool
}

// Invite adds people to the server, by username.
func (d *Discord) Invite(names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range names {
		d.world.Users = append(d.world.Users, &user{
			ID: fmt.Sprint(910_000_000_000_000_000 + int64(len(d.world.Users))<<22), Username: name,
			Email: name + "@example.com", Verified: true,
			Locale: "en-US", Colour: "#4a6fa5",
			membership: membership{Permissions: permMember, Joined: day(2025, 3, 8)},
		})
	}
}

// Player gives one of the people, by username, display name or id: maple (who owns the server),
// rowan.ashdown, juniper_fox, oldtamsin. They start in #trading-post.
func (d *Discord) Player(t TB, who string) *Player {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	u := d.world.user(who)
	if u == nil || u.Bot {
		t.Fatalf("discordtest: no user is called %q", who)
		return nil
	}
	seen := map[string]bool{}
	for _, m := range d.world.Messages {
		if c := d.world.channel(m.ChannelID); c != nil && c.Recipient == u.ID {
			seen[m.ID] = true
		}
	}
	return &Player{d: d, t: t, u: u, channel: d.world.Channels[0].ID, seen: &seen}
}

// NewPlayer adds a person to the server.
func (d *Discord) NewPlayer(t TB, username string) *Player {
	t.Helper()
	d.mu.Lock()
	if d.world.user(username) != nil {
		d.mu.Unlock()
		t.Fatalf("discordtest: a user is already called %q", username)
		return nil
	}
	u := d.join(username, "")
	d.mu.Unlock()
	return d.Player(t, u.ID)
}

// ID is the person's snowflake.
func (p *Player) ID() string { return p.u.ID }

// Username is the person's unique name.
func (p *Player) Username() string { return p.u.Username }

// In gives the person in another channel of the server.
func (p *Player) In(channel string) *Player {
	p.t.Helper()
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	c := p.d.world.channel(channel)
	if c == nil || c.dm() {
		p.t.Fatalf("discordtest: no channel is called %q", channel)
		return nil
	}
	other := *p
	other.channel = c.ID
	return &other
}

// InDM gives the person in their DM with the bot.
func (p *Player) InDM() *Player {
	other := *p
	other.channel = ""
	return &other
}

// With gives the person for another test, such as a subtest.
func (p *Player) With(t TB) *Player {
	other := *p
	other.t = t
	return &other
}

// set changes the person's account.
func (p *Player) set(change func(*user)) *Player {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	change(p.u)
	p.d.announce()
	return p
}

// SetLocale changes the language of the person's client, such as "de".
func (p *Player) SetLocale(locale string) *Player { return p.set(func(u *user) { u.Locale = locale }) }

// SetEmail changes the person's address; empty for none.
func (p *Player) SetEmail(email string, verified bool) *Player {
	return p.set(func(u *user) { u.Email, u.Verified = email, verified })
}

// Rename changes the person's username and display name (which may be empty). The id stays.
func (p *Player) Rename(username, display string) *Player {
	return p.set(func(u *user) { u.Username, u.GlobalName = username, display })
}

// SetPermissions changes what the person may do in the server, as a bit set.
func (p *Player) SetPermissions(permissions uint64) *Player {
	return p.set(func(u *user) { u.Permissions = permissions })
}

// ManageMessages lets the person manage messages in the server, as its moderators may.
func (p *Player) ManageMessages() *Player {
	return p.set(func(u *user) { u.Permissions |= permManageMessages })
}

// SetRoles gives them roles in the server, by id, in place of those they had.
func (p *Player) SetRoles(ids ...string) *Player { return p.set(func(u *user) { u.Roles = ids }) }

// CloseDMs refuses direct messages from the bot (50007); OpenDMs takes them again.
func (p *Player) CloseDMs() *Player { return p.set(func(u *user) { u.DMsClosed = true }) }

// OpenDMs takes direct messages from the bot again.
func (p *Player) OpenDMs() *Player { return p.set(func(u *user) { u.DMsClosed = false }) }

// LeaveServer leaves no server in common with the bot (50278); JoinServer comes back.
func (p *Player) LeaveServer() *Player { return p.set(func(u *user) { u.Left = true }) }

// JoinServer comes back to the server.
func (p *Player) JoinServer() *Player { return p.set(func(u *user) { u.Left = false }) }

// InstallForMyself adds the application to the person's own account.
func (p *Player) InstallForMyself() *Player { return p.set(func(u *user) { u.Installed = true }) }

// where is the channel in which the person types.
func (p *Player) where() *channel {
	if p.channel == "" {
		return p.d.openDM(p.u.ID)
	}
	return p.d.world.channel(p.channel)
}

// Slash sends a slash command, such as "request post", and waits for the answer.
func (p *Player) Slash(command string, options ...Option) *Reply {
	p.t.Helper()
	return p.StartSlash(command, options...).Reply()
}

// StartSlash sends a slash command and does not wait.
func (p *Player) StartSlash(command string, options ...Option) *Pending {
	p.t.Helper()
	return p.start(func() (*interaction, error) {
		return p.d.slash(p.u, p.where(), strings.TrimPrefix(command, "/"), options, false)
	})
}

// UseOn uses a command of a message's menu, by its name, and waits for the answer.
func (p *Player) UseOn(message *View, command string) *Reply {
	p.t.Helper()
	return p.start(func() (*interaction,
		error) {
		return p.d.messageCommand(p.u, message.m, command)
	}).Reply()
}

// UseOnPerson uses a command of a person's menu where they are, by its name, and waits for the answer.
func (p *Player) UseOnPerson(who *Player, command string) *Reply {
	p.t.Helper()
	return p.start(func() (*interaction, error) {
		return p.d.userCommand(p.u, who.u, p.where(), command)
	}).Reply()
}

// ForgeSlash sends options that no client would send: out of bounds, none of the choices, or unknown.
func (p *Player) ForgeSlash(command string, options ...Option) *Reply {
	p.t.Helper()
	return p.start(func() (*interaction, error) {
		return p.d.slash(p.u, p.where(), strings.TrimPrefix(command, "/"), options, true)
	}).Reply()
}

// Complete types into an option of a command and waits for what the bot proposes. Others may be filled in
// already.
func (p *Player) Complete(command, option, typed string, filled ...Option) []Choice {
	p.t.Helper()
	pending := p.start(func() (*interaction, error) {
		return p.d.autocomplete(p.u, p.where(), strings.TrimPrefix(command, "/"), option, typed, filled)
	})
	pending.wait()
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	return slices.Clone(pending.i.choices)
}

// Pick completes an option and takes the first proposal whose name contains the text.
func (p *Player) Pick(command, option, text string, filled ...Option) Option {
	p.t.Helper()
	var seen []string
	for _, c := range p.Complete(command, option, text, filled...) {
		if strings.Contains(c.Name, text) {
			kind := OptionString
			if _, isText := c.Value.(string); !isText {
				kind = OptionInteger
			}
			return Option{option, plain(c.Value), kind}
		}
		seen = append(seen, c.Name)
	}
	p.t.Fatalf("/%s proposes no %q for %q, only %q", command, text, option, seen)
	return Option{}
}

// ForgePress presses a component that is not on the message, or not any more.
func (p *Player) ForgePress(on *View, customID string, values ...string) *Reply {
	p.t.Helper()
	return p.StartForgePress(on, customID, values...).Reply()
}

// StartForgePress presses such a component and does not wait.
func (p *Player) StartForgePress(on *View, customID string, values ...string) *Pending {
	p.t.Helper()
	return p.start(func() (*interaction, error) {
		return p.d.press(p.u, on.m, customID, values, true)
	})
}

// start sends an interaction and fails the test when the client would not.
func (p *Player) start(send func() (*interaction, error)) *Pending {
	p.t.Helper()
	p.d.mu.Lock()
	i, err := send()
	p.d.mu.Unlock()
	if err != nil {
		p.t.Fatalf("%s cannot do that: %v", p.u.Username, err)
		return nil
	}
	return &Pending{p: p, i: i}
}

// Say writes a message in the channel. The bot gets an event only with the intent for messages.
func (p *Player) Say(text string) *View {
	p.t.Helper()
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	return p.view(p.d.say(p.u, p.where(), text))
}

func (d *Discord) say(u *user, c *channel, text string) *message {
	m := d.newMessage(c.ID)
	m.Author = u.wire()
	m.Content = text
	d.mention(m, nil, true)
	m.normalise()
	d.post(m)
	return m
}

// Messages are those that the person sees in the channel where they are, oldest first.
func (p *Player) Messages() []*View {
	p.t.Helper()
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	return p.messages(p.where().ID)
}

func (p *Player) messages(channelID string) []*View {
	var list []*View
	for _, m := range p.d.world.Messages {
		if m.ChannelID == channelID && p.d.sees(p.u, m) {
			list = append(list, p.view(m))
		}
	}
	return list
}

// DMs are the direct messages that the bot has sent to the person and not deleted, oldest first. Answers to
// commands typed in the DM are not among them.
func (p *Player) DMs() []*View {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	var list []*View
	for _, m := range p.dms() {
		list = append(list, p.view(m))
	}
	return list
}

func (p *Player) dms() []*message {
	c := p.d.world.dm(p.u.ID)
	if c == nil {
		return nil
	}
	var list []*message
	for _, m := range p.d.world.Messages {
		if m.ChannelID == c.ID && m.Token == "" && !m.Deleted && m.Author.ID == p.d.world.bot().ID {
			list = append(list, m)
		}
	}
	return list
}

// NextDM waits for a direct message that NextDM has not given yet. Those from before Player was called do
// not count.
func (p *Player) NextDM() *View {
	p.t.Helper()
	return p.WaitDM("a direct message", func(*View) bool { return true })
}

// WaitDM waits for a direct message that is as wanted and that neither NextDM nor WaitDM has given yet.
func (p *Player) WaitDM(what string, wanted func(*View) bool) *View {
	p.t.Helper()
	var got *View
	ctx, cancel := p.d.patience()
	defer cancel()
	if !p.d.await(ctx, func() bool {
		for _, m := range p.dms() {
			if (*p.seen)[m.ID] {
				continue
			}
			if v := p.view(m); wanted(v) {
				(*p.seen)[m.ID] = true
				got = v
				return true
			}
		}
		return false
	}) {
		p.t.Fatalf("waited %s for %s to %s; there are %s", p.d.opts.Patience, what, p.u.Username,
			texts(p.DMs()))
	}
	return got
}

// FindDM waits for a direct message that is as wanted. Those from before Player was called count.
func (p *Player) FindDM(what string, wanted func(*View) bool) *View {
	p.t.Helper()
	clear(*p.seen)
	return p.WaitDM(what, wanted)
}

// WaitMessage waits for a message in the channel where the person is, that is as wanted.
func (p *Player) WaitMessage(what string, wanted func(*View) bool) *View {
	p.t.Helper()
	var got *View
	ctx, cancel := p.d.patience()
	defer cancel()
	if !p.d.await(ctx, func() bool {
		for _, v := range p.messages(p.where().ID) {
			if wanted(v) {
				got = v
				return true
			}
		}
		return false
	}) {
		p.t.Fatalf("waited %s for %s; there are %s", p.d.opts.Patience, what, texts(p.Messages()))
	}
	return got
}

func texts(list []*View) string {
	if len(list) == 0 {
		return "none"
	}
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = fmt.Sprintf("%q", v.Text())
	}
	return strings.Join(all, ", ")
}
