package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// given is a field of a request that may be left out, be null, or hold a value.
type given[T any] struct {
	Set   bool
	Null  bool
	Value T
}

func (g *given[T]) UnmarshalJSON(data []byte) error {
	g.Set = true
	if g.Null = bytes.Equal(data, []byte("null")); g.Null {
		return nil
	}
	return json.Unmarshal(data, &g.Value)
}

// messageRequest is what a message is made of, in all the requests that make or change one.
type messageRequest struct {
	Content         given[string]            `json:"content"`
	Embeds          given[[]Embed]           `json:"embeds"`
	Components      given[[]Component]       `json:"components"`
	Flags           given[int]               `json:"flags"`
	AllowedMentions given[*allowedMentions]  `json:"allowed_mentions"`
	TTS             bool                     `json:"tts"`
	Nonce           any                      `json:"nonce"`
	EnforceNonce    bool                     `json:"enforce_nonce"`
	Reference       *Reference               `json:"message_reference"`
	StickerIDs      []string                 `json:"sticker_ids"`
	Poll            json.RawMessage          `json:"poll"`
	Attachments     given[[]json.RawMessage] `json:"attachments"`
}

type allowedMentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users"`
	Roles []string `json:"roles"`
}

// fill puts what a request says into a message and checks the result. For a new message prior is nil.
func (d *Discord) fill(m *message, req *messageRequest, path []string, interaction bool) *Error {
	var p problems
	if req.Content.Set {
		m.Content = strings.TrimSpace(req.Content.Value)
		p.checkContent(path, m.Content)
	}
	// beside that flag, null takes no embeds away
	if req.Embeds.Set && !(req.Embeds.Null && req.Flags.Value&flagComponentsV2 != 0) {
		m.Embeds = slices.Clone(req.Embeds.Value)
		trimEmbeds(m.Embeds)
		p.checkEmbeds(path, m.Embeds)
	}
	wasV2 := m.Flags&flagComponentsV2 != 0
	if req.Flags.Set {
		// The flags that a sender may set; the others are Discord's own.
		const settable = flagSuppressEmbeds | flagComponentsV2 | flagSuppressNotifications
		m.Flags = m.Flags&^settable | req.Flags.Value&settable
		if wasV2 && req.Flags.Value&flagComponentsV2 == 0 {
			m.Flags |= flagComponentsV2 // cannot be taken off again
		}
	}
	v2 := m.Flags&flagComponentsV2 != 0
	if req.Components.Set {
		m.Components = slices.Clone(req.Components.Value)
		p.checkComponents(path, m.Components, v2)
		d.checkEmojis(&p, path, m.Components)
		complete(m.Components)
	}
	if v2 && (m.Content != "" || len(m.Embeds) > 0 || len(req.StickerIDs) > 0 || len(req.Poll) > 0 &&
		string(req.Poll) != "null") {
		p.add(path, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
			"The content, embeds, stickers and poll fields cannot be used with the components v2 flag")
	}
	p.list = append(p.list, req.AllowedMentions.Value.problems(path)...)
	if len(p.list) > 0 {
		return badForm(p.list...)
	}
	if m.Content == "" && len(m.Embeds) == 0 && len(m.Components) == 0 && m.Flags&flagLoading == 0 {
		return refuse(50006)
	}
	if req.Content.Set || req.Components.Set || req.AllowedMentions.Set {
		d.mention(m, req.AllowedMentions.Value, interaction)
	}
	m.normalise()
	return nil
}

// normalise makes empty lists of missing ones, as Discord writes them.
func (m *Message) normalise() {
	if m.Embeds == nil {
		m.Embeds = []Embed{}
	}
	if m.Components == nil {
		m.Components = []Component{}
	}
	if m.Attachments == nil {
		m.Attachments = []json.RawMessage{}
	}
	if m.Mentions == nil {
		m.Mentions = []User{}
	}
	if m.MentionRoles == nil {
		m.MentionRoles = []string{}
	}
}

func (a *allowedMentions) problems(path []string) []Problem {
	if a == nil {
		return nil
	}
	var p problems
	for _, kind := range a.Parse {
		if kind == "users" && len(a.Users) > 0 || kind == "roles" && len(a.Roles) > 0 {
			p.add(at(path, "allowed_mentions"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
				"parse:[\"%s\"] and %s: [ids...] are mutually exclusive.", kind, kind)
		}
	}
	return p.list
}

var (
	userMention = regexp.MustCompile(`<@!?(\d+)>`)
	roleMention = regexp.MustCompile(`<@&(\d+)>`)
	everyone    = regexp.MustCompile(`@(everyone|here)\b`)
	code        = regexp.MustCompile("(?s)```.*?```|``.*?``|`[^`]*`")
)

// mention finds whom a message pings. Left out, allowed_mentions lets a bot's message ping everybody and
// the answer to an interaction people only. In a server the bot pings roles that are mentionable; all
// others, and everyone, need a permission.
func (d *Discord) mention(m *message, allowed *allowedMentions, interaction bool) {
	users, roles, all := true, !interaction, !interaction
	if allowed != nil {
		users, roles, all = slices.Contains(allowed.Parse, "users"), slices.Contains(allowed.Parse, "roles"),
			slices.Contains(allowed.Parse, "everyone")
	}
	m.Mentions, m.MentionRoles, m.MentionEveryone = []User{}, []string{}, false
	said := strings.Join(append([]string{m.Content}, wordsOf(m.Components)...), "\n")
	text := code.ReplaceAllString(strings.ReplaceAll(said, `\\`, ""), "")
	for _, found := range userMention.FindAllStringSubmatch(text, -1) {
		u := d.world.userByID(found[1])
		ok := users || allowed != nil && slices.Contains(allowed.Users, found[1])
		if u != nil && ok && !slices.ContainsFunc(m.Mentions, func(w User) bool { return w.ID == u.ID }) {
			m.Mentions = append(m.Mentions, u.wire())
		}
	}
	mayAll := true
	c := m.in
	if c == nil {
		c = d.world.channel(m.ChannelID)
	}
	if c != nil && c.GuildID != "" {
		g := d.world.guild(c.GuildID)
		mayAll = d.can(c, permMentionAll)
		for _, found := range roleMention.FindAllStringSubmatch(text, -1) {
			r, ok := g.role(found[1]), roles || allowed != nil && slices.Contains(allowed.Roles, found[1])
			if r != nil && ok && (r.Mentionable || mayAll) && !slices.Contains(m.MentionRoles, r.ID) {
				m.MentionRoles = append(m.MentionRoles, r.ID)
			}
		}
	}
	if i := everyone.FindStringIndex(text); i != nil && all && mayAll && (i[0] == 0 || text[i[0]-1] != '\\') {
		m.MentionEveryone = true
	}
}

// newMessage makes an empty message of the bot.
func (d *Discord) newMessage(channelID string) *message {
	now := d.now()
	m := &message{Created: now}
	m.ID, m.ChannelID = d.newID(), channelID
	m.Author = d.world.bot().wire()
	m.Timestamp = stamp(now)
	m.normalise()
	return m
}

// maxPrivate is how many ephemeral messages are stored: real clients drop them too, and a long run
// must not fill the memory.
const maxPrivate = 4000

// post puts a message where people see it.
func (d *Discord) post(m *message) {
	w := &d.world
	m.Rang = slices.Clone(m.MentionRoles) // an edit pings no one
	w.Messages = append(w.Messages, m)
	if m.Reader != "" {
		d.private++
		if d.private > 2*maxPrivate {
			surplus := d.private - maxPrivate
			w.Messages = slices.DeleteFunc(w.Messages, func(old *message) bool {
				gone := old.Reader != "" && surplus > 0
				if gone {
					surplus--
				}
				return gone
			})
			d.private = maxPrivate
		}
	} else if c := w.channel(m.ChannelID); c != nil {
		c.Last = m.ID
	}
	if m.Nonce != nil {
		d.nonces[nonceOf(m.ChannelID, m.Nonce)] = m
	}
	d.gateway.messageEvent("MESSAGE_CREATE", m)
	d.announce()
}

// edited marks a message as changed.
func (d *Discord) edited(m *message) {
	now := stamp(d.now())
	m.EditedTimestamp = &now
	m.Revision++
	d.gateway.messageEvent("MESSAGE_UPDATE", m)
	d.announce()
}

// remove takes a message away. It stays in the record, marked.
func (d *Discord) remove(m *message) {
	m.Deleted = true
	m.Revision++
	d.gateway.messageEvent("MESSAGE_DELETE", m)
	d.announce()
}

// find is a message by id, nil when it never was.
func (w *world) find(id string) *message {
	for _, m := range slices.Backward(w.Messages) {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// channel is the one in the path, if the bot may see it.
func (c *call) channel() (*channel, *Error) {
	ch := c.world.channel(c.params["channel_id"])
	switch {
	case ch == nil || ch.ID != c.params["channel_id"]:
		return nil, refuse(10003)
	case !c.can(ch, permViewChannel):
		return nil, refuse(50001)
	}
	return ch, nil
}

// message returns the message in the path. Ephemeral messages cannot be reached this way.
func (c *call) message() (*message, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	m := c.world.find(c.params["message_id"])
	if m == nil || m.ChannelID != ch.ID || m.Deleted || m.Reader != "" {
		return nil, refuse(10008)
	}
	return m, nil
}

// nonceOf is what a nonce is remembered by.
func nonceOf(channelID string, nonce any) string { return channelID + " " + fmt.Sprint(nonce) }

// nonceLifetime is how long a nonce is remembered. Discord says "the past few minutes".
const nonceLife = 5 * time.Minute

func (c *call) createMessage() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	if apiErr := c.mayWrite(ch); apiErr != nil {
		return nil, apiErr
	}
	var req messageRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	if apiErr := c.mayHold(ch, &req); apiErr != nil {
		return nil, apiErr
	}
	if m := c.nonces[nonceOf(ch.ID, req.Nonce)]; m != nil && req.EnforceNonce &&
		c.now().Sub(m.Created) < nonceLife {
		if m.Deleted {
			return nil, refuse(10008)
		}
		return m.Message, nil
	}
	m := c.newMessage(ch.ID)
	m.Nonce, m.TTS = req.Nonce, req.TTS
	if apiErr := c.fill(m, &req, nil, false); apiErr != nil {
		return nil, apiErr
	}
	if req.Reference != nil {
		to := c.world.find(req.Reference.MessageID)
		if to == nil || to.Deleted {
			return nil, badForm(Problem{[]string{"message_reference"}, "REPLIES_UNKNOWN_MESSAGE",
				"Unknown message"})
		}
		c.replyTo(m, to)
	}
	if ch.Thread != nil {
		ch.Thread.Archived = false // a message opens an archived thread
	}
	c.post(m)
	return m.Message, nil
}

// replyTo marks a message as the reply to another.
func (d *Discord) replyTo(m, to *message) {
	m.Type = 19
	m.Reference = &Reference{MessageID: to.ID, ChannelID: to.ChannelID}
	if c := d.world.channel(to.ChannelID); c != nil {
		m.Reference.GuildID = c.GuildID
	}
}

// mayWrite says why the bot cannot write in a channel.
func (c *call) mayWrite(ch *channel) *Error {
	if !ch.dm() {
		return c.mayWriteInGuild(ch)
	}
	u := c.world.userByID(ch.Recipient)
	switch {
	case !c.world.shared(u) && !u.Installed:
		return refuse(50278)
	case u.DMsClosed:
		return refuse(50007)
	}
	return nil
}

func (c *call) getMessage() (any, *Error) {
	m, apiErr := c.message()
	if apiErr != nil {
		return nil, apiErr
	}
	if !c.can(c.world.channel(m.ChannelID), permHistory) {
		return nil, refuse(50013)
	}
	return m.Message, nil
}

func (c *call) editMessage() (any, *Error) {
	m, apiErr := c.message()
	if apiErr != nil {
		return nil, apiErr
	}
	if m.Author.ID != c.world.bot().ID {
		return nil, refuse(50005)
	}
	if c.world.channel(m.ChannelID).archived() {
		return nil, refuse(50083)
	}
	if c.now().Sub(m.Created) >= oldMessage {
		if wait := c.limits.slow(c.now(), "old edits "+m.ChannelID, c.limits.oldEdits); wait > 0 {
			return nil, editsLimited(wait)
		}
	}
	return c.edit(m, nil, false)
}

// edit changes a message as a request says, or not at all.
func (c *call) edit(m *message, path []string, interaction bool) (any, *Error) {
	var req messageRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	return c.apply(m, &req, path, interaction)
}

func (c *call) apply(m *message, req *messageRequest, path []string, interaction bool) (any, *Error) {
	trial := *m
	trial.Flags &^= flagLoading
	if apiErr := c.fill(&trial, req, path, interaction); apiErr != nil {
		return nil, apiErr
	}
	*m = trial
	c.edited(m)
	return m.Message, nil
}

func (c *call) deleteMessage() (any, *Error) {
	m, apiErr := c.message()
	if apiErr != nil {
		return nil, apiErr
	}
	ch := c.world.channel(m.ChannelID)
	switch {
	case m.Author.ID != c.world.bot().ID && !c.can(ch, permManageMessages):
		return nil, refuse(50013)
	case ch.archived():
		return nil, refuse(50083)
	}
	c.remove(m)
	return nil, nil
}

func (c *call) listMessages() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	if !c.can(ch, permHistory) {
		return []Message{}, nil // Discord gives no error
	}
	limit := 50
	// its bounds have been checked against the description
	if n, err := strconv.Atoi(c.query.Get("limit")); err == nil {
		limit = n
	}
	list := []Message{} // newest first
	for _, m := range slices.Backward(c.world.Messages) {
		if m.ChannelID != ch.ID || m.Deleted || m.Reader != "" {
			continue
		}
		if b := c.query.Get("before"); b != "" && !before(m.ID, b) {
			continue
		}
		if a := c.query.Get("after"); a != "" && !before(a, m.ID) {
			continue
		}
		list = append(list, m.Message)
	}
	if c.query.Get("after") != "" && len(list) > limit {
		return list[len(list)-limit:], nil
	}
	return list[:min(limit, len(list))], nil
}

func (c *call) typing() (any, *Error) {
	_, apiErr := c.channel()
	return nil, apiErr
}
