package scheduletest

import "testing"

// wrongOnce are schedules that no serial order explained before the market was repaired.
var wrongOnce = []string{
	// A private link was read before the lock: it led to an offer that had been replaced, or had ended itself.
	"open: guest offers more, withdraw of guest: 1 1 0",
	"agreed: withdraw of guest, delete request: 1 1",
	// A notice of a dispute named a request that was deleted meanwhile.
	"due: bob did not meet ann, delete request, ann met bob: 0 0 0 0 2 2 0 2",
	// An account was deleted while a moderator set it aside.
	"due: bob is deleted, set bob aside: 1 1",
	// Saving stock answered the list that it read after its commit, and a repeat answered the list of its time.
	"watched: save less stock, delete stock, =0: ",
	"watched: save stock, snooze stock: 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1",
	"agreed: save stock, save less stock, =1: 2 2 2 2 2 2",
	// Stock was saved over an entry that was removed after it had been read.
	"watched: save less stock, delete stock: 1 1",
	"watched: delete stock, save less stock: 1 1 1 1 1 1 1",
	// An alert was added after its reader stopped or snoozed what it is from, which had been read before.
	"open: post another, snooze stock: 1 0 0 0 0 0 0 1 0 0 0 1 0 1 1 1",
	"posted: watchers are alerted, pause a watch: 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1",
	"posted: snooze a watch, pause a watch, watchers are alerted: 2 2 2 2 2 2 2 2 2",
	"posted: watchers are alerted, alert of stock: 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1",
	"posted: watchers are alerted, delete a watch: 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1",
	// A search that was deleted meanwhile was given a bell.
	"watched: give a search a bell, delete a search: 1 1",
	// The check read the number of a ping's row in the name of its event, as if it were no number of a new row.
	"hooked: log sale, ann makes a webhook, log sale: 0 0 0 2 2 2",
	// A buyer was muted by an account that was deleted after the alert had been read.
	"open: mute a buyer, bob is deleted: 1 1 1 1 1 1 1",
	// The name of a seller whose account was deleted outlived the request that a moderator removed at that moment.
	"shut: bob is deleted, remove the request: 1 1 1 1 1",
	// A request and a listing that came at once did not see one another, without a lock on their item.
	"standing: ann takes offers as they come, sell without asking: 1 1 1 1 1 1 1 1 1",
	// A listing was asked for while it sold all of that to a request, before it was locked for that.
	"standing: bob pays more, ann asks for the rest: 1 1 1 1",
}

func TestSchedulesThatWereWrongOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for _, text := range wrongOnce {
		s, err := parseSchedule(text)
		must(t, err)
		wrong, _, err := h.try(t.Context(), s.scenario, h.oracle(s.scenario), byList(s.steps))
		must(t, err)
		if wrong != "" {
			t.Errorf("%s: no serial order explains it:\n%s", text, wrong)
		}
	}
}
