package channelsync

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core/channels"
)

// kept is a loop over things that note what is done with them. A thing is new until it was sent.
type kept struct {
	*Sync
	loop  Loop
	names []string                      // of the channels
	fresh map[string][]Thing            // by channel
	edits map[string][]Thing            // by channel
	fails map[string]error              // by call, once
	calls []string                      // since the last pass
	waits map[string]time.Duration      // by thing, as Leave was told
	trial func(why error) time.Duration // of the channels, when Discord refuses
}

func newKept() *kept {
	k := &kept{
		Sync:  New(nil, slog.New(slog.DiscardHandler), time.Now, 3*time.Minute),
		fresh: map[string][]Thing{}, edits: map[string][]Thing{}, fails: map[string]error{},
		waits: map[string]time.Duration{},
	}
	k.loop = Loop{Name: "things", Limit: PauseChannel, Failure: PauseChannel,
		Channels: func(context.Context) (all []Channel, err error) {
			for _, name := range k.names {
				c := Channel{
					ID: name,
					Stale: func(context.Context, channels.HeldEdits) (fresh, changed []Thing, err error) {
						return k.fresh[name], k.edits[name], k.fail("list " + name)
					},
					Synced: func(context.Context) error { return k.did("synced " + name) },
				}
				if k.trial != nil {
					c.Refused = func(_ context.Context, why error) (time.Duration, error) { return k.trial(why), nil }
				}
				all = append(all, c)
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

// thing returns a thing that is to show a state.
func (k *kept) thing(name string, want *Desired) Thing {
	return Thing{
		Desired: func(context.Context) (*Desired, error) { return want, k.fail("desired " + name) },
		Send: func(context.Context, discord.Message) (string, error) {
			return "new " + name, k.did("send " + name)
		},
		Edit: func(context.Context, discord.Message) (bool, error) { return false, k.did("edit " + name) },
		Shown: func(_ context.Context, messageID string) error {
			return k.did("shown in " + messageID)
		},
		End: func(_ context.Context, gone bool) error {
			if gone {
				return k.did("gone " + name)
			}
			return k.did("end " + name)
		},
		Leave: func(_ context.Context, wait time.Duration) error {
			k.waits[name] = wait
			return nil
		},
	}
}

// add adds a channel with things that are to be sent and to be edited.
func (k *kept) add(channel string, fresh, edits []string) {
	k.names = append(k.names, channel)
	for _, name := range fresh {
		k.fresh[channel] = append(k.fresh[channel], k.thing(name, &Desired{}))
	}
	for _, name := range edits {
		k.edits[channel] = append(k.edits[channel], k.thing(name, &Desired{MessageID: name}))
	}
}

// pass returns the calls of a pass, without those that store what is shown.
func (k *kept) pass(t *testing.T) []string {
	t.Helper()
	k.calls = nil
	if err := k.Sync.pass(t.Context(), k.loop); err != nil {
		t.Error(err)
	}
	return slices.DeleteFunc(slices.Clone(k.calls), func(call string) bool { return call[:5] == "shown" })
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
				th.Send = func(context.Context, discord.Message) (string, error) { return "", k.did("cannot send") }
			},
			calls: []string{"cannot send"},
		},
		"one that a user has deleted is not sent again": {
			desired: &Desired{MessageID: "1", Turns: true},
			change: func(k *kept, th *Thing) {
				th.Edit = func(context.Context, discord.Message) (bool, error) { return true, k.did("edit a") }
			},
			calls: []string{"edit a", "gone a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept()
			thing := k.thing("a", tt.desired)
			if tt.change != nil {
				tt.change(k, &thing)
			}
			k.names, k.edits["c"] = []string{"c"}, []Thing{thing}
			k.pass(t)
			if want := append(tt.calls, "synced c"); !slices.Equal(k.calls, want) {
				t.Errorf("calls %q, want %q", k.calls, want)
			}
		})
	}
}

func TestOnlyAThingThatMayBeIsPostedAnew(t *testing.T) {
	t.Parallel()
	anew := func(k *kept) func(context.Context, discord.Message) (string, error) {
		return func(context.Context, discord.Message) (string, error) { return "2", k.did("repost") }
	}
	for name, tt := range map[string]struct {
		limit  time.Duration
		turns  bool
		repost func(*kept) func(context.Context, discord.Message) (string, error)
		calls  []string
		stays  bool // it is not read again before Discord's limit is over
	}{
		"one that would be wrong for long": {
			limit: RepostAfter + time.Second, turns: true, repost: anew, calls: []string{"repost", "shown in 2"},
		},
		"one that only counts waits": {limit: RepostAfter + time.Second, repost: anew},
		"one that would be wrong for a short time waits": {
			limit: RepostAfter, turns: true, repost: anew, stays: true,
		},
		"one that may only be edited waits": {limit: RepostAfter + time.Second, turns: true, stays: true},
		"one in a channel where it may not be waits": {
			limit: RepostAfter + time.Second, turns: true, stays: true, calls: []string{"no repost"},
			repost: func(k *kept) func(context.Context, discord.Message) (string, error) {
				return func(context.Context, discord.Message) (string, error) { return "", k.did("no repost") }
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept()
			thing := k.thing("a", &Desired{MessageID: "1", Turns: tt.turns})
			if tt.repost != nil {
				thing.Repost = tt.repost(k)
			}
			k.names, k.edits["c"] = []string{"c"}, []Thing{thing}
			k.fails["edit a"] = limitedFor(tt.limit, "old edits")
			if calls := k.pass(t); !slices.Equal(calls, []string{"edit a", "synced c"}) {
				t.Errorf("at first %q", calls)
			}
			if wait := k.waits["a"]; wait != tt.limit {
				t.Errorf("after the limit it waits %s", wait)
			}
			k.pass(t)
			if want := append(tt.calls, "synced c"); !slices.Equal(k.calls, want) {
				t.Errorf("calls %q, want %q", k.calls, want)
			}
			if stays := slices.Contains(k.Sync.edits.held(time.Now()).All, "1"); stays != tt.stays {
				t.Errorf("it is left out of every list: %t", stays)
			}
		})
	}
}

func TestAFailurePausesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	limited, unauthorized := limitedFor(time.Minute, "user"), refused(http.StatusUnauthorized, 0)
	all := []string{"send a1", "send a2", "send b1", "edit a3", "edit a4", "synced a", "edit b2", "synced b"}
	onlyB := []string{"send b1", "edit b2", "synced b"}
	for name, tt := range map[string]struct {
		change func(*kept)
		at     string
		why    error
		calls  []string
		next   []string      // in a pass right afterwards
		leaves time.Duration // the thing a1, if not zero
		over   time.Duration // after which all goes on
	}{
		"nothing": {calls: all, next: all},
		"a limit of an edit pauses the message": {
			at: "edit a3", why: limited, calls: all, over: time.Minute,
			next: []string{"send a1", "send a2", "send b1", "edit a4", "synced a", "edit b2", "synced b"},
		},
		"a limit of a send pauses what is new in the channel": {
			at: "send a1", why: limited, leaves: time.Minute, over: time.Minute,
			calls: []string{"send a1", "send b1", "edit a3", "edit a4", "synced a", "edit b2", "synced b"},
			next:  []string{"send b1", "edit a3", "edit a4", "synced a", "edit b2", "synced b"},
		},
		"a limit of a send pauses the thing where it stores that itself": {
			change: func(k *kept) { k.loop.Limit, k.loop.Failure = PauseMessage, PauseAll },
			at:     "send a1", why: limited, leaves: time.Minute, calls: all, next: all,
		},
		"a limit after an edit pauses the thing where it stores that itself": {
			change: func(k *kept) { k.loop.Limit, k.loop.Failure = PauseMessage, PauseAll },
			at:     "shown in a3", why: limited, calls: all, next: all,
		},
		"an outage pauses the channel": {
			at: "send a1", why: outage, leaves: PassEvery, over: PassEvery,
			calls: []string{"send a1", "send b1", "edit b2", "synced b"}, next: onlyB,
		},
		"an outage during an edit pauses the channel": {
			at: "edit a3", why: outage, over: editErrorPause,
			calls: []string{"send a1", "send a2", "send b1", "edit a3", "edit b2", "synced b"}, next: onlyB,
		},
		"an outage pauses everything": {
			change: func(k *kept) { k.loop.Failure = PauseAll },
			at:     "send a1", why: outage, leaves: PassEvery, over: PassEvery,
			calls: []string{"send a1"},
		},
		"an outage pauses everything, where a limit pauses the thing": {
			change: func(k *kept) { k.loop.Limit, k.loop.Failure = PauseMessage, PauseAll },
			at:     "send a2", why: outage, over: PassEvery,
			calls: []string{"send a1", "send a2"},
		},
		"a token that is not accepted pauses the channel": {
			at: "send a1", why: unauthorized, leaves: discord.UnauthorizedPause, over: discord.UnauthorizedPause,
			calls: []string{"send a1", "send b1", "edit b2", "synced b"}, next: onlyB,
		},
		"a token that is not accepted during an edit pauses the channel": {
			at: "edit a3", why: unauthorized, over: discord.UnauthorizedPause,
			calls: []string{"send a1", "send a2", "send b1", "edit a3", "edit b2", "synced b"}, next: onlyB,
		},
		"a refusal pauses the channel for longer": {
			at: "send a2", why: refused(http.StatusForbidden, discordgo.ErrCodeMissingAccess), over: TroublePause,
			calls: []string{"send a1", "send a2", "send b1", "edit b2", "synced b"}, next: onlyB,
		},
		"a refusal that is handled pauses as long as its handler says": {
			change: func(k *kept) { k.trial = func(error) time.Duration { return 0 } },
			at:     "send a2", why: refused(http.StatusForbidden, discordgo.ErrCodeMissingAccess), calls: all, next: all,
		},
		"a list that cannot be read pauses the channel": {
			at: "list a", why: errors.New("no connection"), calls: onlyB, next: onlyB, over: PassEvery,
		},
		"a state that cannot be read pauses the channel": {
			at: "desired a1", why: errors.New("no connection"), leaves: PassEvery, over: PassEvery,
			calls: onlyB, next: onlyB,
		},
		"a state that cannot be stored pauses the channel": {
			at: "shown in a3", why: errors.New("no connection"), over: PassEvery,
			calls: []string{"send a1", "send a2", "send b1", "edit a3", "edit b2", "synced b"}, next: onlyB,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				k := newKept()
				k.add("a", []string{"a1", "a2"}, []string{"a3", "a4"})
				k.add("b", []string{"b1"}, []string{"b2"})
				if tt.change != nil {
					tt.change(k)
				}
				k.fails[tt.at] = tt.why
				if calls := k.pass(t); !slices.Equal(calls, tt.calls) {
					t.Errorf("calls %q, want %q", calls, tt.calls)
				}
				if k.waits["a1"] != tt.leaves {
					t.Errorf("a1 is left for %s, want %s", k.waits["a1"], tt.leaves)
				}
				if calls := k.pass(t); !slices.Equal(calls, tt.next) {
					t.Errorf("next %q, want %q", calls, tt.next)
				}
				time.Sleep(tt.over)
				clear(k.turns)
				if calls := k.pass(t); !slices.Equal(calls, all) {
					t.Errorf("in the end %q, want %q", calls, all)
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
		slow := k.thing("a1", &Desired{MessageID: "a1"})
		slow.Edit = func(context.Context, discord.Message) (bool, error) {
			time.Sleep(PassEvery + time.Second)
			return false, k.did("edit a1")
		}
		k.edits["a"] = []Thing{slow}
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
	k.add("a", []string{"a1", "a2"}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	k.fresh["a"][0].Send = func(ctx context.Context, _ discord.Message) (string, error) {
		cancel()
		return "", ctx.Err()
	}
	if err := k.Sync.pass(ctx, k.loop); !errors.Is(err, context.Canceled) {
		t.Errorf("the pass returns %v", err)
	}
	if k.waits["a1"] != PassEvery || len(k.calls) != 0 || k.Paused("things a") {
		t.Errorf("a1 waits %s, calls %q, paused: %t", k.waits["a1"], k.calls, k.Paused("things a"))
	}
}
