package channelsync

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core/channels"
)

// kept has a loop over things that note what is done with them.
type kept struct {
	*Sync
	loop  Loop
	names []string // of the channels
	all   map[string][]Thing
	fails map[string]error // by call, once
	calls []string         // of the last pass
	store bool             // things store themselves how long they are left alone:
	left  map[string]time.Duration
}

func newKept() *kept {
	k := &kept{
		Sync: New(nil, slog.New(slog.DiscardHandler), time.Now, 3*time.Minute),
		all:  map[string][]Thing{}, fails: map[string]error{}, left: map[string]time.Duration{},
	}
	k.loop = Loop{Name: "things", Channels: func(context.Context) (all []Channel, err error) {
		for _, name := range k.names {
			all = append(all, Channel{
				ID: name,
				Stale: func(context.Context, channels.HeldEdits) ([]Thing, error) {
					return k.all[name], k.fail("list " + name)
				},
				Synced: func(context.Context) error { return k.did("synced " + name) },
			})
		}
		return all, nil
	}}
	return k
}

// did notes a call, and returns how it fails.
func (k *kept) did(call string) error {
	k.calls = append(k.calls, call)
	return k.fail(call)
}

func (k *kept) fail(call string) error {
	err := k.fails[call]
	delete(k.fails, call)
	return err
}

// thing returns a thing that should show something.
func (k *kept) thing(name string, want *Desired) Thing {
	t := Thing{
		Unsent:  want != nil && want.MessageID == "",
		Desired: func(context.Context) (*Desired, error) { return want, k.fail("desired " + name) },
		Send: func(context.Context, discord.Message) (string, error) {
			return "new " + name, k.did("send " + name)
		},
		Edit:  func(context.Context, discord.Message) (bool, error) { return false, k.did("edit " + name) },
		Shown: func(_ context.Context, messageID string) error { return k.did("shown in " + messageID) },
		End: func(_ context.Context, gone bool) error {
			if gone {
				return k.did("end without message " + name)
			}
			return k.did("end " + name)
		},
	}
	if k.store {
		t.Leave = func(_ context.Context, wait time.Duration) error {
			k.left[name] = wait
			return nil
		}
	}
	return t
}

// add adds a channel with things that are to be sent and to be edited.
func (k *kept) add(channel string, unsent, sent []string) {
	k.names = append(k.names, channel)
	for _, name := range sent {
		k.all[channel] = append(k.all[channel], k.thing(name, &Desired{MessageID: name}))
	}
	for _, name := range unsent {
		k.all[channel] = append(k.all[channel], k.thing(name, &Desired{}))
	}
}

// together makes a failure pause all things.
func (k *kept) together() {
	k.loop.Channels = Everything(func(context.Context, channels.HeldEdits) (all []Thing, err error) {
		for _, name := range k.names {
			all = append(all, k.all[name]...)
		}
		return all, nil
	})
}

// pass returns the calls of a pass, without those that store what is shown.
func (k *kept) pass(t *testing.T) []string {
	t.Helper()
	k.calls = nil
	if err := k.Sync.pass(t.Context(), k.loop); err != nil {
		t.Error(err)
	}
	return slices.DeleteFunc(slices.Clone(k.calls), func(call string) bool {
		return strings.HasPrefix(call, "shown")
	})
}

// refused is an answer of Discord's with an error code.
func refused(status, code int) error {
	return &discordgo.RESTError{Response: &http.Response{StatusCode: status},
		Message: &discordgo.APIErrorMessage{Code: code}}
}

var outage = &discordgo.RESTError{Response: &http.Response{StatusCode: http.StatusServiceUnavailable}}

func TestAThingIsSentEditedOrEnded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		desired *Desired
		change  func(*kept, *Thing)
		calls   []string
	}{
		"one that was not sent is sent": {
			desired: &Desired{}, calls: []string{"send a", "shown in new a"},
		},
		"one that was sent is edited": {
			desired: &Desired{MessageID: "1"}, calls: []string{"edit a", "shown in 1"},
		},
		"one that joins a message which was sent is edited": {
			desired: &Desired{MessageID: "1"},
			change:  func(_ *kept, th *Thing) { th.Unsent = true },
			calls:   []string{"edit a", "shown in 1"},
		},
		"one that is over is edited a last time": {
			desired: &Desired{MessageID: "1", Over: true}, calls: []string{"edit a", "end a"},
		},
		"one that is over before it was sent is not sent": {
			desired: &Desired{Over: true}, calls: []string{"end a"},
		},
		"one with nothing left to do is left alone": {},
		"one that cannot be shown has ended": {
			desired: &Desired{},
			change: func(k *kept, th *Thing) {
				th.Send = func(context.Context, discord.Message) (string, error) {
					return "", k.did("cannot send")
				}
			},
			calls: []string{"cannot send"},
		},
		"one that a user has deleted is not sent again": {
			desired: &Desired{MessageID: "1", Turns: true},
			change: func(k *kept, th *Thing) {
				th.Edit = func(context.Context, discord.Message) (bool, error) {
					return true, k.did("edit a")
				}
				th.Repost = th.Send
			},
			calls: []string{"edit a", "end without message a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept()
			thing := k.thing("a", tt.desired)
			if tt.change != nil {
				tt.change(k, &thing)
			}
			k.names, k.all["c"] = []string{"c"}, []Thing{thing}
			k.pass(t)
			if want := slices.Concat(tt.calls, []string{"synced c"}); !slices.Equal(k.calls, want) {
				t.Errorf("calls %q, want %q", k.calls, want)
			}
		})
	}
}

func TestOnlyAThingThatMayBeIsPostedAnew(t *testing.T) {
	t.Parallel()
	const long = RepostAfter + time.Second
	for name, tt := range map[string]struct {
		limit time.Duration
		turns bool
		may   bool
		as    string // the new message
		calls []string
		stays bool // it is not listed again before the limit is over
	}{
		"one that would be wrong for long": {
			limit: long, turns: true, may: true, as: "2", calls: []string{"repost", "shown in 2"},
		},
		"one that only counts waits": {limit: long, may: true, as: "2"},
		"one that would be wrong for a short time waits": {
			limit: RepostAfter, turns: true, may: true, as: "2", stays: true,
		},
		"one that may only be edited waits": {limit: long, turns: true, stays: true},
		"one in a channel where it may only be edited waits": {
			limit: long, turns: true, may: true, calls: []string{"repost"}, stays: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept()
			thing := k.thing("a", &Desired{MessageID: "1", Turns: tt.turns})
			if tt.may {
				thing.Repost = func(context.Context, discord.Message) (string, error) {
					return tt.as, k.did("repost")
				}
			}
			k.names, k.all["c"] = []string{"c"}, []Thing{thing}
			k.fails["edit a"] = limitedFor(tt.limit, "old edits")
			if calls := k.pass(t); !slices.Equal(calls, []string{"edit a", "synced c"}) {
				t.Errorf("at first %q", calls)
			}
			k.pass(t)
			if want := slices.Concat(tt.calls, []string{"synced c"}); !slices.Equal(k.calls, want) {
				t.Errorf("calls %q, want %q", k.calls, want)
			}
			if stays := slices.Contains(k.edits.held(time.Now()).All, "1"); stays != tt.stays {
				t.Errorf("it is left out of lists: %t", stays)
			}
		})
	}
}

func TestAFailurePausesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	var (
		limited   = limitedFor(time.Minute, "user")
		badToken  = refused(http.StatusUnauthorized, 0)
		forbidden = refused(http.StatusForbidden, discordgo.ErrCodeMissingAccess)
		offline   = errors.New("no connection")

		all = []string{"send a1", "send a2", "send b1", "edit a3", "edit a4", "synced a", "edit b2",
			"synced b"}
		together  = []string{"send a1", "send a2", "send b1", "edit a3", "edit a4", "edit b2"}
		onlyB     = []string{"send b1", "edit b2", "synced b"}
		untilSent = []string{"send a1", "send b1", "edit b2", "synced b"}
		untilEdit = []string{"send a1", "send a2", "send b1", "edit a3", "edit b2", "synced b"}
	)
	everything := func(k *kept) { k.together() }
	stored := func(k *kept) { k.store = true; k.together() }
	handled := func(wait time.Duration) func(*kept) {
		return func(k *kept) {
			list := k.loop.Channels
			k.loop.Channels = func(ctx context.Context) ([]Channel, error) {
				all, err := list(ctx)
				all[0].Refused = func(context.Context, error) (time.Duration, error) { return wait, nil }
				return all, err
			}
		}
	}
	for name, tt := range map[string]struct {
		change func(*kept)
		at     string
		why    error
		calls  []string
		next   []string      // in a pass right afterwards
		left   time.Duration // as the thing a1 stores it
		over   time.Duration // after which all goes on
	}{
		"nothing": {calls: all, next: all},
		"a limit of an edit pauses the message": {
			at: "edit a3", why: limited, calls: all, over: time.Minute,
			next: []string{"send a1", "send a2", "send b1", "edit a4", "synced a", "edit b2", "synced b"},
		},
		"a limit of a send pauses what is new in the channel": {
			at: "send a1", why: limited, over: time.Minute,
			calls: []string{"send a1", "send b1", "edit a3", "edit a4", "synced a", "edit b2", "synced b"},
			next:  []string{"send b1", "edit a3", "edit a4", "synced a", "edit b2", "synced b"},
		},
		"a limit pauses a thing alone that stores that": {
			change: stored, at: "send a1", why: limited, left: time.Minute, calls: together, next: together,
		},
		"a limit after an edit pauses a thing alone that stores that": {
			change: stored, at: "shown in a3", why: limited, calls: together, next: together,
		},
		"a limit at the end of a thing pauses the channel": {
			at: "shown in a3", why: limited, over: time.Minute, calls: untilEdit, next: onlyB,
		},
		"an outage pauses the channel": {
			at: "send a1", why: outage, over: PassEvery, calls: untilSent, next: onlyB,
		},
		"an outage during an edit pauses the channel": {
			at: "edit a3", why: outage, over: editErrorPause, calls: untilEdit, next: onlyB,
		},
		"an outage pauses everything": {
			change: everything, at: "send a1", why: outage, over: PassEvery, calls: []string{"send a1"},
		},
		"an outage pauses everything, also for things that store their pauses": {
			change: stored, at: "send a1", why: outage, left: PassEvery, over: PassEvery,
			calls: []string{"send a1"},
		},
		"a token that is not accepted pauses the channel": {
			at: "send a1", why: badToken, over: discord.UnauthorizedPause, calls: untilSent, next: onlyB,
		},
		"a token that is not accepted during an edit pauses the channel": {
			at: "edit a3", why: badToken, over: discord.UnauthorizedPause, calls: untilEdit, next: onlyB,
		},
		"a token that is not accepted pauses everything, also for things that store their pauses": {
			change: stored, at: "send a1", why: badToken, left: discord.UnauthorizedPause,
			over: discord.UnauthorizedPause, calls: []string{"send a1"},
		},
		"a refusal pauses the channel for longer": {
			at: "send a1", why: forbidden, over: TroublePause, calls: untilSent, next: onlyB,
		},
		"a refusal pauses the channel for as long as its handler says": {
			change: handled(time.Hour), at: "send a1", why: forbidden, over: time.Hour,
			calls: untilSent, next: onlyB,
		},
		"a refusal that is handled pauses nothing": {
			change: handled(0), at: "send a1", why: forbidden, calls: all, next: all,
		},
		"a list that cannot be read pauses the channel": {
			at: "list a", why: offline, over: PassEvery, calls: onlyB, next: onlyB,
		},
		"a state that cannot be read pauses the channel": {
			at: "desired a1", why: offline, over: PassEvery, calls: onlyB, next: onlyB,
		},
		"a state that cannot be stored pauses the channel": {
			at: "shown in a3", why: offline, over: PassEvery, calls: untilEdit, next: onlyB,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				k, end := newKept(), all
				if tt.change != nil {
					tt.change(k)
				}
				k.add("a", []string{"a1", "a2"}, []string{"a3", "a4"})
				k.add("b", []string{"b1"}, []string{"b2"})
				if list, _ := k.loop.Channels(t.Context()); len(list) == 1 {
					end = together
				}
				k.fails[tt.at] = tt.why
				if calls := k.pass(t); !slices.Equal(calls, tt.calls) {
					t.Errorf("calls %q, want %q", calls, tt.calls)
				}
				if k.left["a1"] != tt.left {
					t.Errorf("a1 is left alone for %s, want %s", k.left["a1"], tt.left)
				}
				if calls := k.pass(t); !slices.Equal(calls, tt.next) {
					t.Errorf("next %q, want %q", calls, tt.next)
				}
				if tt.over > 0 {
					clear(k.turns) // the passes without a paused channel have moved them
					time.Sleep(tt.over - time.Millisecond)
					if calls := k.pass(t); slices.Equal(calls, end) {
						t.Errorf("all goes on before %s", tt.over)
					}
				}
				time.Sleep(time.Millisecond)
				clear(k.turns)
				if calls := k.pass(t); !slices.Equal(calls, end) {
					t.Errorf("in the end %q, want %q", calls, end)
				}
			})
		})
	}
}

func TestEditsOfAPassEndWithTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKept()
		k.add("a", nil, []string{"a1"})
		k.add("b", []string{"b1"}, []string{"b2"})
		k.all["a"][0].Edit = func(context.Context, discord.Message) (bool, error) {
			time.Sleep(PassEvery + time.Second)
			return false, k.did("edit a1")
		}
		for i, want := range [][]string{
			{"send b1", "edit a1", "synced a"},
			{"send b1", "edit b2", "synced b", "edit a1", "synced a"},
			{"send b1", "edit b2", "synced b", "edit a1", "synced a"},
		} {
			if calls := k.pass(t); !slices.Equal(calls, want) {
				t.Errorf("pass %d: %q, want %q", i+1, calls, want)
			}
		}
	})
}

func TestAThingIsLeftWhenTheProgramEnds(t *testing.T) {
	t.Parallel()
	k := newKept()
	k.store = true
	k.add("a", []string{"a1", "a2"}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	k.all["a"][0].Send = func(ctx context.Context, _ discord.Message) (string, error) {
		cancel()
		return "", ctx.Err()
	}
	if err := k.Sync.pass(ctx, k.loop); !errors.Is(err, context.Canceled) {
		t.Errorf("the pass returns %v", err)
	}
	if k.left["a1"] != PassEvery || len(k.calls) != 0 || len(k.notBefore) != 0 {
		t.Errorf("a1 is left alone for %s, calls %q, pauses %v", k.left["a1"], k.calls, k.notBefore)
	}
}
