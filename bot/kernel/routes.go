package kernel

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// Routes maps commands, components, views and notices to their handlers and drawers. Each noun adds its own.
type Routes struct {
	Commands    map[string]Route     // by path, such as "request post"
	Components  map[string]Route     // by action: buttons, selects and forms
	Suggestions map[string]Suggester // by path and option, such as "request post item"

	Views    map[byte]ViewDrawer           // by the letter of a view
	Messages map[notify.Kind]MessageDrawer // direct messages, by the kind of their notices
	Notices  map[notify.Kind]NoticeDrawer  // direct messages about one notice, by its kind
	// called after an interaction was answered without an error
	Answered []func(context.Context, AnsweredCall)
}

// Route is a handler and how its answer is sent.
type Route struct {
	Do Handler
	// redraws is set where the answer replaces the message of the button.
	Redraws bool
	// form reports whether the answer may be a form: it cannot be deferred, so the handler must be quick.
	// Nil for never.
	Form func(Input) bool
	// Moderates is set where moderators get more than other users. In a direct message, where an interaction
	// has no roles, the kernel asks Discord for the roles of users who moderate by a role.
	Moderates bool
	// Leaving is set for routes that a user who is leaving may still use.
	Leaving bool
	// Write determines which interactions are the same write.
	Write writeScope
	// public reports whether everyone may see the answer, for commands that decide it by an option.
	Public func(Input) bool
}

// ViewDrawer draws a view again. The two numbers are the view's arguments, and note describes the action just
// done on it.
type ViewDrawer func(ctx context.Context, in Input, first, second int64, note discord.Markdown) (Reply, error)

// MessageDrawer draws a direct message as the database is now.
type MessageDrawer func(t Translator, d channels.Delivery) Reply

// NoticeDrawer draws a direct message about the one notice n of a delivery.
type NoticeDrawer func(t Translator, d channels.Delivery, n notify.Notice) Reply

// AnsweredCall is an interaction that was answered without an error.
type AnsweredCall struct {
	In    Input
	Name  string
	Reply Reply
	Log   *slog.Logger
}

// Always is the Form of a route that always answers with a form.
func Always(Input) bool { return true }

// Add adds routes. It panics where two of them answer the same.
func (r *Routes) Add(more Routes) {
	addAll(&r.Commands, more.Commands)
	addAll(&r.Components, more.Components)
	addAll(&r.Suggestions, more.Suggestions)
	addAll(&r.Views, more.Views)
	addAll(&r.Messages, more.Messages)
	addAll(&r.Notices, more.Notices)
	r.Answered = append(r.Answered, more.Answered...)
}

func addAll[K comparable, V any](to *map[K]V, more map[K]V) {
	if *to == nil {
		*to = map[K]V{}
	}
	for key, value := range more {
		if _, taken := (*to)[key]; taken {
			panic(fmt.Sprintf("two routes for %v", key))
		}
		(*to)[key] = value
	}
}

// Handler answers an interaction. It gets input and returns the reply, and never calls Discord.
type Handler func(ctx context.Context, in Input) (Reply, error)

// Choice is a completion of a user's input.
type Choice = discordgo.ApplicationCommandOptionChoice

// Suggester completes an option: it returns the choices that match the typed text.
type Suggester func(ctx context.Context, in Input) ([]*Choice, error)
