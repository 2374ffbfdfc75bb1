package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"
)

// Reply is what a handler answers.
type Reply struct {
	text   safe
	embeds []*discordgo.MessageEmbed
	rows   []discordgo.MessageComponent

	public bool  // everybody in the channel sees it
	redraw bool  // it takes the place of the message that was pressed on
	form   *form // asks for more instead
}

// private answers with a sentence that only the reader sees.
func private(text safe) Reply { return Reply{text: text} }

// form is a modal.
type form struct {
	press  press
	title  string
	fields []field
}

// field is one thing that a form asks for. With choices it is a select, else a text.
type field struct {
	name     string
	label    string
	hint     string
	value    string
	long     bool
	optional bool
	limit    int
	choices  []discordgo.SelectMenuOption
}

// Kinds of first answers.
const (
	answerMessage     = 4
	answerLater       = 5
	answerRedrawLater = 6
	answerRedraw      = 7
	answerChoices     = 8
	answerForm        = 9
)

const flagPrivate = 1 << 6

// message is a message as we send it. Everything in it is always sent, so that an edit takes away what is no longer there.
type message struct {
	Content    string                       `json:"content"`
	Embeds     []*discordgo.MessageEmbed    `json:"embeds"`
	Components []discordgo.MessageComponent `json:"components"`
	Mentions   mentions                     `json:"allowed_mentions"`
	Flags      int                          `json:"flags,omitempty"`
	// Nonce names a direct message, so that a repeat makes no second one.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`
}

// mentions says who is pinged: nobody, ever.
type mentions struct {
	Parse []string `json:"parse"`
}

func (r Reply) message() message {
	m := message{
		Content: string(clipSafe(r.text, maxContent)), Embeds: fitEmbeds(r.embeds), Components: r.rows,
		Mentions: mentions{Parse: []string{}},
	}
	if m.Components == nil {
		m.Components = []discordgo.MessageComponent{}
	}
	return m
}

func (r Reply) flags() int {
	if r.public {
		return 0
	}
	return flagPrivate
}

// response is the body of a first answer.
type response struct {
	Kind int `json:"type"`
	Data any `json:"data,omitempty"`
}

// choice is a completion of what somebody types.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// first is the answer to an interaction that has had none.
func (r Reply) first(i *interaction) response {
	switch {
	case r.form != nil:
		return response{Kind: answerForm, Data: r.form.body()}
	case r.redraw && i.Message != nil:
		return response{Kind: answerRedraw, Data: r.message()}
	default:
		m := r.message()
		m.Flags = r.flags()
		return response{Kind: answerMessage, Data: m}
	}
}

// respond gives the first answer.
func (b *Bot) respond(ctx context.Context, i *interaction, body response) error {
	tried := false
	err := patiently(ctx, func(ctx context.Context) error {
		err := b.rest.do(ctx, call{
			method: "POST", path: fmt.Sprintf("/interactions/%s/%s/callback", i.ID, i.Token), body: body,
		}, nil)
		if tried && isCode(err, codeAlreadyAnswered) {
			return nil // by the attempt whose outcome we did not learn
		}
		tried = true
		return err
	})
	if err != nil {
		return fmt.Errorf("answer interaction %s: %w", i.ID, err)
	}
	return nil
}

// edit replaces the first answer, or the message that was pressed on.
func (b *Bot) edit(ctx context.Context, i *interaction, m message) error {
	return b.onWebhook(ctx, i, "PATCH", "/messages/@original", m)
}

// follow says something more.
func (b *Bot) follow(ctx context.Context, i *interaction, r Reply) error {
	m := r.message()
	m.Flags = r.flags()
	return b.onWebhook(ctx, i, "POST", "", m)
}

func (b *Bot) onWebhook(ctx context.Context, i *interaction, method, path string, m message) error {
	err := patiently(ctx, func(ctx context.Context) error {
		return b.rest.do(ctx, call{
			method: method, path: fmt.Sprintf("/webhooks/%s/%s%s", i.ApplicationID, i.Token, path), body: m,
		}, nil)
	})
	if err != nil {
		return fmt.Errorf("complete the answer to interaction %s: %w", i.ID, err)
	}
	return nil
}
