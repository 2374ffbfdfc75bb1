//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/bot/discordtest"
	msg "tradepost/core/text"
)

// discordPatience is how long a person in Discord waits for the bot's answer.
const discordPatience = 15 * time.Second

// writeOverDiscord asks for a write with a command, or with buttons and forms. It is asked for once:
// another press would be another write.
func (s *scene) writeOverDiscord(w write) (o outcome) {
	ctx, cancel := context.WithTimeout(s.ctx, discordPatience)
	defer cancel()
	client := &discordClient{ctx: ctx, scene: s}
	o.certainty = refused // until the interaction with the effect is sent
	defer func() {
		o.key = client.key
		switch stopped := recover().(type) {
		case nil:
		case clientStopped:
			o.err = stopped.err
			if client.key != "" {
				o.certainty = unknown
			}
		default:
			panic(stopped)
		}
	}()
	said := client.do(w.actor.With(client), w)
	o.answer, o.attempts = []byte(strings.Join(said, "\n")), 1
	var known bool
	if o.certainty, known = saidInDiscord(w.op, said); !known {
		s.requestFailed(fmt.Errorf("%s was answered with a sentence that nothing is known of: %q", w.op,
			o.answer))
	}
	return o
}

// discordClient is one person's client during one write. What a test would take for a failure stops it.
type discordClient struct {
	ctx   context.Context
	scene *scene
	key   string // the ID of the interaction that has the effect, once it is sent
}

// clientStopped ends a write.
type clientStopped struct{ err error }

func (c *discordClient) do(p *discordtest.Player, w write) (said []string) {
	order, offer := discordtest.Str("request", strconv.FormatInt(w.order, 10)),
		discordtest.Str("offer", strconv.FormatInt(w.offer, 10))
	quantity := discordtest.Int("quantity", int64(w.quantity))
	if w.command != "" {
		return c.effect(p.StartSlash(w.command, w.options...))
	}
	switch w.op {
	case opPost:
		preview := c.look(p.StartSlash("request post", discordtest.Str("item", w.name), quantity,
			discordtest.Str("price", copper(w.price))))
		return c.effect(c.button(preview.View, "Post").StartPress())
	case opEdit:
		return c.effect(p.StartSlash("request edit", order, quantity,
			discordtest.Str("price", copper(w.price))))
	case opRenew:
		return c.effect(p.StartSlash("request renew", order))
	case opClose:
		return c.effect(c.button(c.look(p.StartSlash("request close", order)).View,
			"Close Request").StartPress())
	case opDelete:
		return c.effect(c.button(c.look(p.StartSlash("request delete", order)).View,
			"Delete Request").StartPress())
	case opOffer:
		return c.effect(p.StartSlash("offer send", order, quantity, discordtest.Str("message", "I have some"),
			discordtest.Str("name", w.name)))
	case opWithdraw:
		return c.effect(p.StartSlash("offer withdraw", offer))
	case opDecline:
		return c.effect(p.StartSlash("offer delete", offer))
	case opAccept:
		if w.button {
			if form := c.form(c.messageWith(p, w.name), "Accept part…"); form != nil {
				return c.effect(form.StartSubmit(map[string]string{"Quantity": strconv.Itoa(w.quantity)}))
			}
		}
		return c.acceptMore(p.StartSlash("offer accept", offer, quantity), w.quantity)
	case opSell:
		if w.button {
			card := c.look(p.StartSlash("request show", order)).View
			if form := c.form(card, "Update Sales"); form != nil {
				return c.effect(form.StartSubmit(map[string]string{"Quantity sold": strconv.Itoa(w.quantity),
					"Notes": w.name}))
			}
		}
		return c.effect(p.StartSlash("sales log", order, quantity, discordtest.Str("notes", w.name)))
	case opSay:
		prompt := c.scene.promptAbout(p, w.sales)
		if prompt == nil {
			panic(clientStopped{fmt.Errorf("%s was not asked about %v", p.Username(), w.sales)})
		}
		return c.effect(c.button(prompt, weMet(prompt)).StartPress())
	case opReport:
		card := c.look(p.StartSlash("request show", order)).View
		if form := c.form(card, "Report…"); form != nil {
			return c.effect(form.StartSubmit(map[string]string{"Reason": "No such item"}))
		}
		panic(clientStopped{fmt.Errorf("request %d cannot be reported", w.order)})
	}
	panic("no such write: " + string(w.op))
}

// copper writes an amount of less than a silver.
func copper(n int64) string { return fmt.Sprintf("%dc", n) }

// effect waits for the answer to the interaction that has the effect.
func (c *discordClient) effect(sent *discordtest.Pending) []string {
	c.key = sent.ID()
	return c.look(sent).Said
}

// acceptMore waits for the answer to a command. When it asks whether this is one more accept, it was not
// carried out: it is.
func (c *discordClient) acceptMore(sent *discordtest.Pending, quantity int) []string {
	c.key = sent.ID()
	reply := c.look(sent)
	label := msg.For("en-US").Sprint(msg.AcceptMore, "quantity", quantity)
	if reply.View == nil || !slices.Contains(reply.View.Buttons(), label) {
		return reply.Said
	}
	return c.effect(reply.View.Button(label).StartPress())
}

// look waits for an answer.
func (c *discordClient) look(sent *discordtest.Pending) *discordtest.Reply {
	reply, err := sent.ReplyUntil(c.ctx)
	if err != nil {
		panic(clientStopped{err})
	}
	return reply
}

// button finds a button that has to be there.
func (c *discordClient) button(on *discordtest.View, label string) *discordtest.Button {
	if !slices.Contains(on.Buttons(), label) {
		panic(clientStopped{fmt.Errorf("no button %q below %q", label, on.Text())})
	}
	return on.Button(label)
}

// form opens a form. It is nil when the button is not there.
func (c *discordClient) form(on *discordtest.View, label string) *discordtest.ModalView {
	if on == nil || !slices.Contains(on.Buttons(), label) {
		return nil
	}
	return c.look(on.Button(label).StartPress()).Modal
}

// messageWith is the newest direct message with a text, or nil.
func (c *discordClient) messageWith(p *discordtest.Player, text string) *discordtest.View {
	for _, dm := range slices.Backward(p.DMs()) {
		if strings.Contains(dm.Text(), text) {
			return dm
		}
	}
	return nil
}

// A client stands in for the test that the stand-in wants.

// Helper does nothing.
func (c *discordClient) Helper() {}

// Logf does nothing.
func (c *discordClient) Logf(string, ...any) {}

// Cleanup is for tests.
func (c *discordClient) Cleanup(func()) { panic("a client ends with its write") }

// Errorf ends the write.
func (c *discordClient) Errorf(format string, args ...any) { c.Fatalf(format, args...) }

// Fatalf ends the write.
func (c *discordClient) Fatalf(format string, args ...any) {
	panic(clientStopped{fmt.Errorf(format, args...)})
}

var _ discordtest.TB = (*discordClient)(nil)
