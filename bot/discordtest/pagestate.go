package discordtest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// What the page shows, in one piece: small enough to be fetched again after every change.

type pagePlayer struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Username  string `json:"username"`
	Colour    string `json:"colour"`
	Locale    string `json:"locale"`
	DMsClosed bool   `json:"dmsClosed"`
	Unread    int    `json:"unread"`
	Manager   bool   `json:"manager"`
	Bot       bool   `json:"bot"`
}

type pageChannel struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Topic  string `json:"topic"`
	Kind   string `json:"kind"` // text, announcement, forum, thread or post; empty for a conversation
	DM     bool   `json:"dm"`
	Unread int    `json:"unread"`
	Last   string `json:"last"`
	Read   string `json:"read"`
}

// pagePost is a post of a forum, also an archived one.
type pagePost struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	First    string   `json:"first"` // the first words
	Tags     []string `json:"tags"`
	Archived bool     `json:"archived"`
	Locked   bool     `json:"locked"`
}

type pageMessage struct {
	Message
	Private bool   `json:"private"`
	Loading bool   `json:"loading"`
	Failed  bool   `json:"failed,omitempty"`  // the deferred answer never came
	Used    string `json:"used,omitempty"`    // "/request post", by the person in interaction_metadata
	ReplyTo string `json:"replyTo,omitempty"` // the first words of the message replied to
}

// shownMessages is how many messages of a channel the page shows.
const shownMessages = 100

func (d *Discord) pageState(w http.ResponseWriter, r *http.Request) {
	pageHeaders(w)
	d.mu.Lock()
	// Written under the lock, because it shares memory with the state.
	state, err := json.Marshal(d.state(r.URL.Query().Get("player"), r.URL.Query().Get("channel")))
	d.mu.Unlock()
	if err != nil {
		d.log.Error("write the page's state", "error", err)
	}
	writeJSON(w, http.StatusOK, json.RawMessage(state))
}

func (d *Discord) state(player, where string) map[string]any {
	me := d.world.user(player)
	if me == nil || me.Bot {
		me = d.world.players()[0]
	}
	c := d.world.Channels[0]
	if other := d.world.channel(where); other != nil &&
		d.world.permissionsIn(me, other)&permViewChannel != 0 {
		c = other
	}
	if where == "dm" {
		c = d.openDMQuietly(me.ID)
	}
	users := map[string]pagePlayer{}
	var players []pagePlayer
	for _, u := range d.world.Users {
		p := pagePlayer{ID: u.ID, Name: u.name(), Username: u.Username, Colour: u.Colour, Locale: u.Locale,
			DMsClosed: u.DMsClosed, Bot: u.Bot,
			Manager: u.Permissions&(permManageGuild|permAdministrator) != 0}
		users[u.ID] = p
		if !u.Bot {
			if dm := d.world.dm(u.ID); dm != nil {
				p.Unread, _ = d.unread(u, dm)
			}
			players = append(players, p)
		}
	}
	dm := d.openDMQuietly(me.ID)
	var channels []pageChannel
	shown := d.listed(me)
	if !slices.Contains(shown, c) && !c.dm() {
		shown = append(shown, c) // an archived thread that is looked at
	}
	for _, ch := range append(shown, dm) {
		n, last := d.unread(me, ch)
		pc := pageChannel{ID: ch.ID, Name: ch.Name, Topic: ch.Topic, Kind: d.kindOf(ch), DM: ch.dm(),
			Unread: n, Last: last, Read: ch.Read[me.ID]}
		if ch.dm() {
			pc.Name, pc.Topic = d.world.bot().Username, "Your direct messages with "+d.world.bot().Username
		}
		channels = append(channels, pc)
	}
	return map[string]any{
		"guild": d.world.home().Name, "app": d.world.App.Name, "bot": d.world.bot().ID,
		"connected": d.gateway.ready() > 0,
		"me":        me.ID, "channel": c.ID, "players": players, "users": users, "channels": channels,
		"roles": d.roleNames(c), "messages": d.shown(me, c), "posts": d.posts(c),
		"commands": d.offered(me, c), "locales": locales,
	}
}

// roleNames are the names of the roles of a channel's server, by id.
func (d *Discord) roleNames(c *channel) map[string]string {
	names := map[string]string{}
	if g := d.world.guild(c.GuildID); g != nil {
		for _, r := range g.Roles {
			names[r.ID] = r.Name
		}
	}
	return names
}

// kindOf is what a channel is called on the page.
func (d *Discord) kindOf(c *channel) string {
	switch {
	case c.GuildID == "":
		return ""
	case c.Thread != nil:
		if parent := d.world.channel(c.Thread.Parent); parent != nil && parent.Type == forumChannel {
			return "post"
		}
		return "thread"
	case c.Type == forumChannel:
		return "forum"
	case c.Type == announcementChannel:
		return "announcement"
	}
	return "text"
}

// posts are those of a forum, the newest first.
func (d *Discord) posts(forum *channel) []pagePost {
	list := []pagePost{}
	for _, c := range slices.Backward(d.world.Channels) {
		if c.Thread == nil || c.Thread.Parent != forum.ID || forum.Type != forumChannel {
			continue
		}
		p := pagePost{ID: c.ID, Name: c.Name, Tags: []string{}, Archived: c.Thread.Archived,
			Locked: c.Thread.Locked}
		for _, tag := range forum.Tags {
			if slices.Contains(c.Thread.Tags, tag.ID) {
				p.Tags = append(p.Tags, tag.Name)
			}
		}
		if first := d.world.find(c.ID); first != nil && !first.Deleted {
			p.First = d.world.gist(first)
		}
		list = append(list, p)
	}
	return list
}

// openDMQuietly is openDM for viewing, which does not count as a change.
func (d *Discord) openDMQuietly(userID string) *channel {
	if c := d.world.dm(userID); c != nil {
		return c
	}
	return d.openDM(userID)
}

// unread counts what a user has not read in a channel, and gives the last message there.
func (d *Discord) unread(u *user, c *channel) (n int, last string) {
	for _, m := range d.world.Messages {
		if m.ChannelID != c.ID || !d.sees(u, m) {
			continue
		}
		last = m.ID
		if m.Author.ID != u.ID && before(c.Read[u.ID], m.ID) {
			n++
		}
	}
	return n, last
}

func (d *Discord) shown(me *user, c *channel) []pageMessage {
	list := []pageMessage{}
	for _, m := range slices.Backward(d.world.Messages) {
		if m.ChannelID != c.ID || !d.sees(me, m) {
			continue
		}
		p := pageMessage{Message: m.Message, Private: m.Reader != "", Loading: m.Flags&flagLoading != 0,
			Used: m.Used}
		p.Failed = p.Loading && d.interactions[m.Token] == nil || d.now().Sub(m.Created) > tokenLife &&
			p.Loading
		if m.Reference != nil {
			if to := d.world.find(m.Reference.MessageID); to != nil {
				p.ReplyTo = d.world.gist(to)
			}
		}
		list = append(list, p)
		if len(list) == shownMessages {
			break
		}
	}
	slices.Reverse(list)
	return list
}

var (
	linked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	person = regexp.MustCompile(`<@!?(\d+)>`)
	marks  = regexp.MustCompile(`(?m)^(?:#{1,3}|-#) |\*\*|<a?:\w+:\d+> ?`)
)

// gist returns the first words of a message, with the names of mentioned users.
func (w *world) gist(m *message) string {
	text := m.Content
	if text == "" && len(m.Embeds) > 0 {
		text = m.Embeds[0].Title
		if text == "" {
			text = m.Embeds[0].Description
		}
	}
	if read := wordsOf(m.Components); text == "" && len(read) > 0 {
		text = marks.ReplaceAllString(linked.ReplaceAllString(read[0], "$1"), "")
		text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
	text = person.ReplaceAllStringFunc(text, func(mention string) string {
		if u := w.userByID(person.FindStringSubmatch(mention)[1]); u != nil {
			return "@" + u.name()
		}
		return mention
	})
	if words := []rune(text); len(words) > 80 {
		text = string(words[:79]) + "…"
	}
	return text
}

// pageCommandEntry is a command, or a subcommand by its whole path, as the picker lists it.
type pageCommandEntry struct {
	Path        string            `json:"path"` // "request post": how it is sent
	Label       string            `json:"label"`
	Description string            `json:"description"`
	Options     []pageOptionEntry `json:"options"`
}

type pageOptionEntry struct {
	CommandOption
	Label string `json:"label"`
	Hint  string `json:"hint"`
}

// offered are the commands of the picker, in the person's language.
func (d *Discord) offered(me *user, c *channel) []pageCommandEntry {
	list := []pageCommandEntry{}
	for _, cmd := range d.visible(me, c) {
		top := pageCommandEntry{Path: cmd.Name, Label: in(me.Locale, cmd.Name, cmd.NameLocalizations),
			Description: in(me.Locale, cmd.Description, cmd.DescriptionLocalizations)}
		list = append(list, branch(me.Locale, top, cmd.Options)...)
	}
	return list
}

func branch(locale string, at pageCommandEntry, options []CommandOption) []pageCommandEntry {
	if len(options) > 0 && options[0].branches() {
		var list []pageCommandEntry
		for _, o := range options {
			list = append(list, branch(locale,
				pageCommandEntry{Path: at.Path + " " + o.Name,
					Label:       at.Label + " " + in(locale, o.Name, o.NameLocalizations),
					Description: in(locale, o.Description, o.DescriptionLocalizations)}, o.Options)...)
		}
		return list
	}
	at.Options = []pageOptionEntry{}
	for _, o := range options {
		e := pageOptionEntry{CommandOption: o, Label: in(locale, o.Name, o.NameLocalizations),
			Hint: in(locale, o.Description, o.DescriptionLocalizations)}
		e.Choices = slices.Clone(o.Choices)
		for i := range e.Choices {
			e.Choices[i].Name = in(locale, e.Choices[i].Name, e.Choices[i].NameLocalizations)
		}
		at.Options = append(at.Options, e)
	}
	return []pageCommandEntry{at}
}

// in is a text in a language, where there is a translation.
func in(locale, text string, others map[string]string) string {
	if other, ok := others[locale]; ok {
		return other
	}
	return text
}
