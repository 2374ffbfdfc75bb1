package discordtest

import (
	"encoding/base64"
	"encoding/json"
	"time"
)

// How long an interaction waits for its first answer, and how long its token lives after that.
const (
	answerWithin = 3 * time.Second
	tokenLife    = 15 * time.Minute
)

// The kinds of interactions.
const (
	kindCommand      = 2
	kindComponent    = 3
	kindAutocomplete = 4
	kindModal        = 5
)

// The kinds of answers.
const (
	AnswerMessage        = 4
	AnswerDeferred       = 5
	AnswerDeferredUpdate = 6
	AnswerUpdate         = 7
	AnswerChoices        = 8
	AnswerModal          = 9
)

// interaction is something that a user did with the bot, and what came of it.
type interaction struct {
	id, token string
	kind      int
	user      *user
	channel   *channel
	created   time.Time
	skew      time.Duration // of the clock, then
	ran       time.Duration // of the machine, then
	owners    map[string]string
	what      string // for people: "/request post", `button "Accept all"`
	option    *CommandOption
	data      any
	source    *message     // of a component, and of a modal that a component opened
	trigger   *interaction // that opened the modal
	delivered int          // gateway sessions it went to

	answer    int // kind; 0 while there is none
	ephemeral bool
	original  *message
	touched   bool // the deferral has been followed by something
	followUps []*message
	said      []Message // every answer and edit of one with content, as it was then
	choices   []Choice
	modal     *Modal
	submitted *interaction // the last time the modal was sent
	apiErrors []*Error     // of responses that Discord rejected
}

// Modal is a dialog that the bot has opened.
type Modal struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []Component `json:"components"`
}

// begin makes an interaction and sends it to the bot.
func (d *Discord) begin(i *interaction) *interaction {
	i.id = d.newID()
	i.token = base64.RawURLEncoding.EncodeToString([]byte("interaction:" + i.id + ":" + secret() + secret()))
	i.created, i.skew, i.ran = d.now(), d.skew, d.ran
	i.owners = d.owners(i.user, i.channel)
	d.remember(i)
	d.noteTypedIn(i)
	payload := d.payload(i)
	i.delivered = d.gateway.dispatch("INTERACTION_CREATE", 0, payload)
	d.doubtLater(payload)
	d.announce()
	return i
}

// doubtLater checks an event in tests; reporting must not happen under the lock.
func (d *Discord) doubtLater(payload map[string]any) {
	if !d.opts.checkOwn {
		return
	}
	parts := map[string][]byte{}
	for key, v := range payload {
		parts[key], _ = json.Marshal(v) // our own shapes
	}
	d.work.Go(func() {
		d.doubt("the event INTERACTION_CREATE", parts["message"],
			d.spec.checkInteraction(parts))
	})
}

// keptInteractions is how many tokens are remembered, so that a long run does not fill the memory.
const keptInteractions = 10_000

func (d *Discord) remember(i *interaction) {
	d.interactions[i.token] = i
	d.recent = append(d.recent, i)
	if len(d.recent) > 2*keptInteractions {
		for _, old := range d.recent[:keptInteractions] {
			delete(d.interactions, old.token)
		}
		d.recent = append([]*interaction(nil), d.recent[keptInteractions:]...)
	}
}

// late reports whether the deadline for the first response has passed.
func (d *Discord) late(i *interaction) bool {
	passed := d.now().Sub(i.created)
	if d.opts.countsRunning {
		passed = d.ran - i.ran - mostOfALook + d.skew - i.skew // the first look may count only time before it
		passed = max(passed, d.skew-i.skew)
	}
	return passed > answerWithin
}

// payload is the event that the bot receives.
func (d *Discord) payload(i *interaction) map[string]any {
	p := map[string]any{
		"id": i.id, "application_id": d.world.App.ID, "type": i.kind, "token": i.token, "version": 1,
		"data": i.data, "channel_id": i.channel.ID, "channel": d.channelWire(i.channel),
		"locale": i.user.Locale, "entitlements": []any{}, "entitlement_sku_ids": []any{},
		"authorizing_integration_owners": i.owners, "attachment_size_limit": 10 << 20,
		"app_permissions": bits(d.world.permissionsIn(d.world.bot(), i.channel)),
	}
	if i.source != nil {
		p["message"] = i.source.Message
	}
	p["context"] = i.channel.context()
	if i.channel.GuildID == "" {
		p["user"] = i.user.wire()
		return p
	}
	g := d.world.guild(i.channel.GuildID)
	m := i.user.member(d.world.member(i.user, g.ID))
	m.Permissions = bits(d.world.permissionsIn(i.user, i.channel))
	p["member"], p["guild_id"], p["guild_locale"] = m, g.ID, g.Locale
	p["guild"] = map[string]any{"id": g.ID, "locale": g.Locale, "features": []any{}}
	return p
}

// metadata is what a message says about the interaction that it answers.
func (i *interaction) metadata() *Metadata {
	m := &Metadata{ID: i.id, Type: i.kind, User: i.user.wire(), Owners: i.owners}
	if i.kind == kindComponent {
		m.InteractedMessage = i.source.ID
	}
	if i.trigger != nil {
		m.Trigger = i.trigger.metadata()
	}
	return m
}

// allowed are the kinds of answers that an interaction takes.
func (i *interaction) allowed() []int {
	switch {
	case i.kind == kindAutocomplete:
		return []int{AnswerChoices}
	case i.kind == kindComponent:
		return []int{AnswerMessage, AnswerDeferred, AnswerDeferredUpdate, AnswerUpdate, AnswerModal}
	case i.kind == kindModal && i.source != nil:
		return []int{AnswerMessage, AnswerDeferred, AnswerDeferredUpdate, AnswerUpdate}
	case i.kind == kindModal:
		return []int{AnswerMessage, AnswerDeferred}
	}
	return []int{AnswerMessage, AnswerDeferred, AnswerModal}
}
