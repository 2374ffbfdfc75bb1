package bot

import (
	"context"
	"fmt"
	"log/slog"

	"tradepost/bot/discord"
	"tradepost/core"
)

// routes say which handler answers what, and what draws messages. Each noun adds its own.
type routes struct {
	commands    map[string]route     // by path, such as "request post"
	components  map[string]route     // by action: buttons, selects and forms
	suggestions map[string]suggester // by path and option, such as "request post item"

	views    map[byte]viewDrawer                   // by the letter of a view
	messages map[core.NoticeKind]messageDrawer     // direct messages, by the kind of their notices
	notices  map[core.NoticeKind]noticeDrawer      // direct messages about one notice, by its kind
	answered []func(context.Context, answeredCall) // called after an interaction was answered without an error
}

// route is a handler and how its answer is sent.
type route struct {
	do handler
	// redraws is set where the answer replaces the message of the button.
	redraws bool
	// form reports whether the answer may be a form: it cannot be deferred, so the handler must be quick. Nil for never.
	form func(Input) bool
	// moderates is set where moderators get what others do not. In a direct message, where an interaction has no roles,
	// Discord is asked for those of a user who moderates by a role.
	moderates bool
	// leaving is set where a user gets who is leaving.
	leaving bool
	// write says which interactions are the same write.
	write writeScope
	// public reports whether everyone may see the answer, for commands that decide it by an option.
	public func(Input) bool
}

// viewDrawer draws a view again. The two numbers are those of the view, and note says what was done on it.
type viewDrawer func(ctx context.Context, in Input, first, second int64, note discord.Markdown) (Reply, error)

// messageDrawer draws a direct message as the database is now.
type messageDrawer func(t translator, d core.Delivery) Reply

// noticeDrawer draws a direct message about the one notice n of a delivery.
type noticeDrawer func(t translator, d core.Delivery, n core.Notice) Reply

// answeredCall is an interaction that was answered without an error.
type answeredCall struct {
	in    Input
	name  string
	reply Reply
	user  core.UserID // zero when not known
	log   *slog.Logger
}

func always(Input) bool { return true }

// add adds routes. It panics where two of them answer the same.
func (r *routes) add(more routes) {
	addAll(&r.commands, more.commands)
	addAll(&r.components, more.components)
	addAll(&r.suggestions, more.suggestions)
	addAll(&r.views, more.views)
	addAll(&r.messages, more.messages)
	addAll(&r.notices, more.notices)
	r.answered = append(r.answered, more.answered...)
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
