package discordtest

import (
	"slices"
	"time"
)

// ChannelKind is what a server's channel is for.
type ChannelKind int

// The kinds of channels that AddChannel makes.
const (
	TextChannel         ChannelKind = textChannel
	AnnouncementChannel ChannelKind = announcementChannel
	ForumChannel        ChannelKind = forumChannel
)

// Types of channels, by Discord's numbers.
const (
	textChannel         = 0
	dmChannel           = 1
	groupChannel        = 3
	announcementChannel = 5
	announcementThread  = 10
	publicThread        = 11
	privateThread       = 12
	forumChannel        = 15
)

// thread is what a thread has besides a channel.
type thread struct {
	Parent, OwnerID  string
	Archived, Locked bool
	ArchivedAt       time.Time // or opened
	Minutes          int       // without a message after which it is archived
	Created          time.Time
	Tags             []string // of its forum, by id
	Sent             int
	Invitable        bool // members of a private one may add others
}

func (c *channel) archived() bool { return c.Thread != nil && c.Thread.Archived }

type forumTag struct {
	ID, Name  string
	Moderated bool // only those who manage threads put it on a post
}

func (d *Discord) threadWire(c *channel, w map[string]any) map[string]any {
	t := c.Thread
	n := 0
	for _, m := range d.world.Messages {
		if m.ChannelID == c.ID && !m.Deleted && m.Reader == "" && m.ID != c.ID {
			n++
		}
	}
	w["parent_id"], w["owner_id"], w["rate_limit_per_user"] = t.Parent, t.OwnerID, 0
	w["message_count"], w["total_message_sent"], w["member_count"] = n, n, len(c.People)
	w["thread_metadata"] = map[string]any{
		"archived": t.Archived, "locked": t.Locked, "auto_archive_duration": t.Minutes,
		"archive_timestamp": stamp(t.ArchivedAt), "create_timestamp": stamp(t.Created),
	}
	if c.Type == privateThread {
		w["thread_metadata"].(map[string]any)["invitable"] = t.Invitable
	}
	if parent := d.world.channel(t.Parent); parent != nil && parent.Type == forumChannel {
		w["applied_tags"] = append([]string{}, t.Tags...)
	}
	return w
}

func (c *channel) forumWire(w map[string]any) {
	tags := []any{}
	for _, t := range c.Tags {
		tags = append(tags, map[string]any{"id": t.ID, "name": t.Name, "moderated": t.Moderated,
			"emoji_id": nil, "emoji_name": nil})
	}
	w["available_tags"], w["default_forum_layout"], w["default_sort_order"],
		w["default_reaction_emoji"] = tags, 0, nil, nil
	if c.NeedsTag {
		w["flags"] = 1 << 4
	}
}

// threadRequest is a thread that is to be made.
type threadRequest struct {
	Name        string         `json:"name"`
	Minutes     int            `json:"auto_archive_duration"`
	Type        *int           `json:"type"`
	Invitable   *bool          `json:"invitable"`
	AppliedTags []string       `json:"applied_tags"`
	Message     messageRequest `json:"message"`
}

// createThread makes a thread without a message or, in a forum, a post.
func (c *call) createThread() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	var req threadRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	switch ch.Type {
	case forumChannel:
		return c.createPost(ch, &req)
	case textChannel, announcementChannel:
	default:
		return nil, refuse(50024)
	}
	kind := privateThread // as in Discord's version 10
	if req.Type != nil {
		kind = *req.Type
	}
	need := uint64(permPublicThreads)
	if kind == privateThread {
		need = permPrivateThreads
	}
	switch {
	case (kind == announcementThread) != (ch.Type == announcementChannel) && kind != privateThread:
		return nil, badForm(Problem{[]string{"type"}, "BASE_TYPE_CHOICES",
			"Not a kind of thread that this channel takes."})
	case !c.can(ch, need):
		return nil, refuse(50013)
	case c.openThreads(ch.GuildID) >= maxOpenThreads:
		return nil, refuse(160006)
	}
	return c.threadCreated(c.addThread(ch, c.newID(), kind, &req)), nil
}

func (c *call) createThreadOnMessage() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	m, apiErr := c.message()
	if apiErr != nil {
		return nil, apiErr
	}
	var req threadRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	kind := publicThread
	switch {
	case ch.Type == announcementChannel:
		kind = announcementThread
	case ch.Type != textChannel:
		return nil, refuse(50024)
	}
	switch {
	case !c.can(ch, permPublicThreads|permHistory):
		return nil, refuse(50013)
	case c.world.channel(m.ID) != nil:
		return nil, refuse(160004)
	case c.openThreads(ch.GuildID) >= maxOpenThreads:
		return nil, refuse(160006)
	}
	return c.threadCreated(c.addThread(ch, m.ID, kind, &req)), nil
}

// createPost makes a post of a forum: a thread that begins with a message of the same id.
func (c *call) createPost(ch *channel, req *threadRequest) (any, *Error) {
	if !c.can(ch, permSend) {
		return nil, refuse(50013)
	}
	if apiErr := c.mayHold(ch, &req.Message); apiErr != nil {
		return nil, apiErr
	}
	if apiErr := c.checkTags(ch, req.AppliedTags); apiErr != nil {
		return nil, apiErr
	}
	if c.openThreads(ch.GuildID) >= maxOpenThreads {
		return nil, refuse(160006)
	}
	t := &channel{ID: c.newID()}
	m := c.newMessage(t.ID)
	m.ID, m.in = t.ID, ch
	if apiErr := c.fill(m, &req.Message, []string{"message"}, false); apiErr != nil {
		return nil, apiErr
	}
	t = c.addThread(ch, t.ID, publicThread, req)
	t.Thread.Tags = req.AppliedTags
	c.post(m)
	created := c.threadCreated(t)
	created["message"] = m.Message
	return created, nil
}

func (c *call) checkTags(forum *channel, tags []string) *Error {
	if len(tags) == 0 && forum.NeedsTag && !c.can(forum, permManageThreads) {
		return refuse(40067)
	}
	for _, id := range tags {
		i := slices.IndexFunc(forum.Tags, func(t forumTag) bool { return t.ID == id })
		switch {
		case i < 0:
			return refuse(10087)
		case forum.Tags[i].Moderated && !c.can(forum, permManageThreads):
			return refuse(50013)
		}
	}
	return nil
}

// openThreads counts the threads of a server that are not archived.
func (d *Discord) openThreads(guildID string) (n int) {
	for _, ch := range d.world.Channels {
		if ch.GuildID == guildID && ch.Thread != nil && !ch.archived() {
			n++
		}
	}
	return n
}

func (d *Discord) addThread(in *channel, id string, kind int, req *threadRequest) *channel {
	if req.Minutes == 0 {
		req.Minutes = 4320
	}
	t := &channel{ID: id, GuildID: in.GuildID, Name: req.Name, Type: kind, People: []string{d.world.bot().ID},
		Thread: &thread{Parent: in.ID, OwnerID: d.world.bot().ID, Minutes: req.Minutes,
			Invitable: req.Invitable == nil || *req.Invitable, ArchivedAt: d.now(), Created: d.now()}}
	d.world.Channels = append(d.world.Channels, t)
	d.gateway.dispatch("THREAD_CREATE", intentGuilds, d.channelWire(t))
	d.announce()
	return t
}

func (c *call) threadCreated(t *channel) map[string]any {
	c.status = 201
	return c.channelWire(t)
}

// editChannel changes a thread, or the tags of a forum.
func (c *call) editChannel() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	var req struct {
		Name          given[string]       `json:"name"`
		Archived      given[bool]         `json:"archived"`
		Locked        given[bool]         `json:"locked"`
		AppliedTags   given[[]string]     `json:"applied_tags"`
		AvailableTags given[[]tagRequest] `json:"available_tags"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	renamed := req.Name.Set && req.Name.Value != ch.Name
	if ch.Thread == nil {
		if ch.GuildID == "" || !c.can(ch, permManageChannels) {
			return nil, refuse(50013)
		}
		if apiErr := c.rename(ch, req.Name.Value, renamed); apiErr != nil {
			return nil, apiErr
		}
		if req.AvailableTags.Set {
			c.setTags(ch, req.AvailableTags.Value)
		}
		return c.channelWire(ch), nil
	}
	t, manages := ch.Thread, c.can(ch, permManageThreads)
	mine := t.OwnerID == c.world.bot().ID
	opens := req.Archived.Set && !req.Archived.Value
	switch {
	case req.Locked.Set && req.Locked.Value != t.Locked && !manages, t.Locked && opens && !manages:
		return nil, refuse(50013)
	case opens && !manages && !c.can(ch, permSendInThreads):
		return nil, refuse(50013)
	case !manages && !mine && !(opens && !req.Name.Set && !req.AppliedTags.Set):
		return nil, refuse(50013)
	case t.Archived && !opens && (req.Name.Set || req.AppliedTags.Set):
		return nil, refuse(50083)
	}
	if req.AppliedTags.Set {
		if apiErr := c.checkTags(c.world.channel(t.Parent), req.AppliedTags.Value); apiErr != nil {
			return nil, apiErr
		}
	}
	if opens && t.Archived && c.openThreads(ch.GuildID) >= maxOpenThreads {
		return nil, refuse(160006)
	}
	if apiErr := c.rename(ch, req.Name.Value, renamed); apiErr != nil {
		return nil, apiErr
	}
	if req.AppliedTags.Set {
		t.Tags = req.AppliedTags.Value
	}
	if req.Locked.Set {
		t.Locked = req.Locked.Value
	}
	if req.Archived.Set && req.Archived.Value != t.Archived {
		t.Archived, t.ArchivedAt = req.Archived.Value, c.now()
	}
	c.gateway.dispatch("THREAD_UPDATE", intentGuilds, c.channelWire(ch))
	return c.channelWire(ch), nil
}

// rename gives a channel or thread another name, twice in ten minutes at most.
func (c *call) rename(ch *channel, name string, renamed bool) *Error {
	if !renamed {
		return nil
	}
	if wait := c.limits.slow(c.now(), "renames "+ch.ID, renames); wait > 0 {
		return limited(wait, "shared")
	}
	ch.Name = name
	return nil
}

type tagRequest struct {
	ID        *string `json:"id"`
	Name      string  `json:"name"`
	Moderated bool    `json:"moderated"`
}

func (c *call) setTags(forum *channel, tags []tagRequest) {
	forum.Tags = nil
	for _, t := range tags {
		id := c.newID()
		if t.ID != nil {
			id = *t.ID
		}
		forum.Tags = append(forum.Tags, forumTag{id, t.Name, t.Moderated})
	}
}

func (c *call) deleteChannel() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	need := uint64(permManageChannels)
	if ch.Thread != nil {
		need = permManageThreads
	}
	if ch.GuildID == "" || !c.can(ch, need) {
		return nil, refuse(50013)
	}
	c.drop(ch)
	return c.channelWire(ch), nil
}

// drop removes a channel with its threads and messages.
func (d *Discord) drop(gone *channel) {
	w := &d.world
	w.Channels = slices.DeleteFunc(w.Channels, func(c *channel) bool {
		below := c == gone || c.Thread != nil && c.Thread.Parent == gone.ID
		for _, m := range w.Messages {
			m.Deleted = m.Deleted || below && m.ChannelID == c.ID
		}
		return below
	})
}

// crosspost publishes a message of an announcement channel.
func (c *call) crosspost() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	m, apiErr := c.message()
	switch {
	case apiErr != nil:
		return nil, apiErr
	case ch.Type != announcementChannel:
		return nil, refuse(50024)
	case !c.can(ch, permSend) || m.Author.ID != c.world.bot().ID && !c.can(ch, permManageMessages):
		return nil, refuse(50013)
	case m.Flags&flagCrossposted != 0:
		return nil, refuse(40033)
	}
	m.Flags |= flagCrossposted
	return m.Message, nil
}

// thread is the one in the path.
func (c *call) thread() (*channel, *Error) {
	ch, apiErr := c.channel()
	switch {
	case apiErr != nil:
		return nil, apiErr
	case ch.Thread == nil:
		return nil, refuse(50024)
	}
	return ch, nil
}

func (c *call) threadMembers() (any, *Error) {
	t, apiErr := c.thread()
	if apiErr != nil {
		return nil, apiErr
	}
	list := []any{}
	for _, id := range t.People {
		list = append(list, t.threadMemberWire(id))
	}
	return list, nil
}

func (c *channel) threadMemberWire(userID string) map[string]any {
	return map[string]any{"id": c.ID, "user_id": userID, "join_timestamp": stamp(c.Thread.Created),
		"flags": 0}
}

// threadMember is one person of a thread; who is not in it is unknown.
func (c *call) threadMember() (any, *Error) {
	t, apiErr := c.thread()
	if apiErr != nil {
		return nil, apiErr
	}
	u := c.world.userByID(c.params["user_id"])
	if u == nil || !slices.Contains(t.People, u.ID) || c.world.member(u, t.GuildID) == nil {
		return nil, refuse(10007)
	}
	return t.threadMemberWire(u.ID), nil
}

func (c *call) addToThread() (any, *Error) {
	t, apiErr := c.thread()
	if apiErr != nil {
		return nil, apiErr
	}
	u := c.world.userByID(c.params["user_id"])
	switch {
	case t.archived():
		return nil, refuse(50083)
	case !c.can(t, permSendInThreads):
		return nil, refuse(50013)
	case u == nil || c.world.member(u, t.GuildID) == nil:
		return nil, refuse(10007)
	case c.world.permissionsIn(u, c.world.channel(t.Thread.Parent))&permViewChannel == 0:
		return nil, refuse(50013)
	}
	if !slices.Contains(t.People, u.ID) {
		t.People = append(t.People, u.ID)
	}
	return nil, nil
}

func (c *call) removeFromThread() (any, *Error) {
	t, apiErr := c.thread()
	switch {
	case apiErr != nil:
		return nil, apiErr
	case t.archived():
		return nil, refuse(50083)
	case !c.can(t, permManageThreads) && !(t.Type == privateThread && t.Thread.OwnerID == c.world.bot().ID):
		return nil, refuse(50013)
	}
	t.People = slices.DeleteFunc(t.People, func(id string) bool { return id == c.params["user_id"] })
	return nil, nil
}

func (c *call) activeThreads() (any, *Error) {
	g, apiErr := c.guild()
	if apiErr != nil {
		return nil, apiErr
	}
	threads := []any{}
	for _, ch := range c.world.Channels {
		if ch.GuildID == g.ID && ch.Thread != nil && !ch.archived() && c.can(ch, permViewChannel) {
			threads = append(threads, c.channelWire(ch))
		}
	}
	return map[string]any{"threads": threads, "members": []any{}, "has_more": false}, nil
}

// StartThread makes a public thread in the channel, as a member does.
func (c *ServerChannel) StartThread(name string) *ServerChannel {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	kind := publicThread
	if c.c.Type == announcementChannel {
		kind = announcementThread
	}
	t := c.d.addThread(c.c, c.d.newID(), kind, &threadRequest{Name: name})
	t.Thread.OwnerID, t.People = c.d.world.guild(c.c.GuildID).OwnerID, nil
	return &ServerChannel{c.d, t}
}

// Archive closes a thread; the next message opens it again. Lock lets only those write who manage threads.
func (c *ServerChannel) Archive() *ServerChannel {
	return c.set(func(c *channel) { c.Thread.Archived = true })
}

// Lock lets only those write in a thread who manage threads.
func (c *ServerChannel) Lock() *ServerChannel {
	return c.set(func(c *channel) { c.Thread.Locked = true })
}

// Leave takes a player out of a thread, as when they leave it.
func (c *ServerChannel) Leave(p *Player) *ServerChannel {
	return c.set(func(c *channel) {
		c.People = slices.DeleteFunc(slices.Clone(c.People), func(id string) bool { return id == p.u.ID })
	})
}

// Archived reports whether a thread is archived.
func (c *ServerChannel) Archived() bool {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return c.c.archived()
}

// AddTags gives a forum tags, and NeedTag makes every post carry one.
func (c *ServerChannel) AddTags(names ...string) *ServerChannel {
	return c.set(func(ch *channel) {
		for _, name := range names {
			ch.Tags = append(ch.Tags, forumTag{ID: c.d.newID(), Name: name})
		}
	})
}

// NeedTag makes every post of a forum carry a tag.
func (c *ServerChannel) NeedTag() *ServerChannel {
	return c.set(func(c *channel) { c.NeedsTag = true })
}

// Threads are the threads of a channel, or the posts of a forum, oldest first, archived ones too.
func (c *ServerChannel) Threads() (list []*ServerChannel) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	for _, t := range c.d.world.Channels {
		if t.Thread != nil && t.Thread.Parent == c.c.ID {
			list = append(list, &ServerChannel{c.d, t})
		}
	}
	return list
}

// Name is the channel's name.
func (c *ServerChannel) Name() string {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return c.c.Name
}

// Tags are the names of the tags on a post.
func (c *ServerChannel) Tags() (names []string) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	for _, tag := range c.d.world.channel(c.c.Thread.Parent).Tags {
		if slices.Contains(c.c.Thread.Tags, tag.ID) {
			names = append(names, tag.Name)
		}
	}
	return names
}
