//go:build unix

package main

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"tradepost/bot/discordtest"
)

// unreachable plays a reader who accepts no direct messages: their notices fail, the page shows a
// warning, nothing more is tried, and what they do next opens the way again.
func unreachable(leave, comeBack func(*owner)) func(*scene, int) time.Duration {
	return func(s *scene, i int) time.Duration {
		s.laterThatDay()
		gone, other := s.owners[i%2], s.owners[1-i%2]
		leave(gone)
		s.offersTo(gone, gone, other)
		s.settled()
		s.discord.ForgetRequests()
		s.offersTo(gone, gone)
		s.settled()
		if n := len(s.discord.Requests("POST /channels/**", "POST /users/**")); n != 0 {
			s.Errorf("%d more requests for a reader who cannot be reached", n)
		}
		if why := s.unreachable(gone); why == "" {
			s.Errorf("the page does not say that direct messages do not arrive")
		}
		s.inboxContains(gone, "dm_failed")
		comeBack(gone)
		back := time.Now()
		s.mustWrite(write{op: opTest, actor: gone.person}, nil)
		s.offersTo(gone)
		took := s.since(back)
		if why := s.unreachable(gone); why != "" {
			s.Errorf("the page still says %q", why)
		}
		return took
	}
}

var answerFaults = []fault{
	{
		name: "50007: the reader has closed their direct messages",
		note: "failed with the reason, until they ask for a test", counts: true,
		round: unreachable(
			func(o *owner) { o.CloseDMs() }, func(o *owner) { o.OpenDMs() }),
	},
	{
		name: "50278: the reader shares no server with the bot",
		note: "failed with the reason, until they ask for a test", counts: true,
		round: unreachable(
			func(o *owner) { o.LeaveServer() }, func(o *owner) { o.JoinServer() }),
	},
	{
		name: "40003: direct messages were opened too fast",
		note: "no new readers get messages for ten minutes; others do; back is counted from the restart that ends the pause",
		rare: 10, counts: true,
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			s.offers(1)
			s.settled()
			fresh := s.owner(s.discord.NewPlayer(s, fmt.Sprintf("newcomer%d", i)))
			s.laterThatDay()
			tooFast := s.discord.Fail("POST /users/@me/channels", discordtest.Always,
				discordtest.RefusingWith(40003))
			s.offersTo(fresh)
			tooFast.WaitHits(s, 1)
			s.offersTo(append(slices.Clone(s.owners), fresh)...)
			for _, o := range s.owners {
				s.toldAll(o)
			}
			if n := tooFast.Hits(); n != 1 {
				s.Errorf("%d channels were opened, one too fast", n)
			}
			s.programs[0].kill()
			tooFast.Lift()
			return s.since(s.restart(s.programs[0]))
		},
	},
	{
		name: "400: Discord refuses what a message says",
		note: "failed with Discord's message; others are not delayed",
		round: func(s *scene, i int) time.Duration {
			s.laterThatDay()
			refused := s.discord.Fail(newMessage, 1,
				discordtest.Answering(http.StatusBadRequest,
					`{"code": 50035, "message": "Invalid Form Body"}`))
			began := time.Now()
			s.offers(1)
			refused.WaitHits(s, 1)
			return s.since(began)
		},
	},
	{
		name: "401: the token is revoked, then good again",
		note: "delivery stops; back is counted from the restart with the good token",
		rare: 4, counts: true,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			s.discord.ForgetRequests()
			s.discord.RevokeToken()
			s.offers(3)
			s.rest(time.Second)
			s.offers(3)
			s.rest(500 * time.Millisecond)
			if n := len(s.discord.Requests()); n > 2*len(s.owners)+2 {
				s.Errorf("Discord was asked %d times with a token that it does not accept", n)
			}
			_, err := s.programs[0].stop()
			s.must(err)
			s.discord.RestoreToken()
			return s.since(s.restart(s.programs[0]))
		},
	},
	{
		name:     "401: the bot alone ends with a status that says so",
		note:     "78; started again with a good token it delivers",
		programs: apart,
		rare:     4,
		round: func(s *scene, i int) time.Duration {
			s.sometimesLater(i)
			s.discord.RevokeToken()
			s.offers(2)
			select {
			case <-s.programs[1].ended:
			case <-s.ctx.Done():
				s.Fatalf("the bot keeps running with a token that Discord does not accept")
			}
			if code := s.programs[1].cmd.ProcessState.ExitCode(); code != 78 {
				s.Errorf("the bot ended with status %d", code)
			}
			s.discord.RestoreToken()
			return s.since(s.restart(s.programs[1]))
		},
	},
}

// unreachable is why an owner gets no direct messages, as their page says; empty when they do.
func (s *scene) unreachable(o *owner) string {
	var settings struct{ Unreachable *string }
	s.read(o.person, "/api/me/notices/settings", &settings)
	if settings.Unreachable == nil {
		return ""
	}
	return *settings.Unreachable
}

// inboxContains checks that an owner's inbox contains a notice of a kind.
func (s *scene) inboxContains(o *owner, kind string) {
	var page struct{ Notices []struct{ Kind string } }
	s.read(o.person, "/api/me/notices", &page)
	for _, n := range page.Notices {
		if n.Kind == kind {
			return
		}
	}
	s.Errorf("the inbox contains no %s", kind)
}
