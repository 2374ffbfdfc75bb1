//go:build unix

package main

import (
	"fmt"
	"time"

	"tradepost/bot/discordtest"
)

var machineFaults = []fault{
	{
		name: "no file handles under load", rare: 2, needs: onLinux,
		lasting: under(func(s *scene, lasts time.Duration) {
			giveBack, err := withoutFiles(s.programs[0].cmd.Process.Pid)
			s.must(err)
			visitorHTTP.CloseIdleConnections()
			s.rest(lasts)
			s.must(giveBack())
		}),
	},
	{
		name: "the disk of the log is full", rare: 4,
		lasting: under(func(s *scene, lasts time.Duration) {
			p := s.programs[0]
			p.kill()
			p.logIsFull = true
			s.restart(p)
			s.discord.Fail(newMessage, 1, discordtest.Outage(500)) // something to log
			s.rest(lasts)
			p.kill()
			p.logIsFull = false
			s.restart(p)
		}),
	},
	{
		name: "a busy core under load", rare: 2, needs: onLinux,
		note: "the program has one core, and shares it with four that never rest",
		lasting: under(func(s *scene, lasts time.Duration) {
			quiet, err := busyCore(s.programs[0].cmd.Process.Pid)
			s.must(err)
			s.rest(lasts)
			s.must(quiet())
		}),
	},
	{
		name: "little memory under load", rare: 2,
		note: "it may use 24 MiB, so it does little but look for memory; back is counted from the start with enough",
		lasting: under(func(s *scene, lasts time.Duration) {
			p := s.programs[0]
			p.kill()
			env := p.env
			p.env = append(append([]string(nil), env...), "GOMEMLIMIT=24MiB")
			s.restart(p)
			s.rest(lasts)
			p.kill()
			p.env = env
			s.restart(p)
		}),
	},
	{
		name: "the clocks of two replicas differ by five minutes", programs: both, rare: 2,
		note: "the second is replaced by one whose clock is wrong, and that by one whose clock is right",
		lasting: under(func(s *scene, lasts time.Duration) {
			p := s.programs[1]
			for _, offset := range []string{"5m", "0s"} {
				_, err := p.stop()
				s.must(err)
				p.set("CLOCK_OFFSET", offset)
				s.restart(p)
				if offset != "0s" {
					s.rest(lasts)
				}
			}
		}),
	},
	{
		name: "the kernel gives no more memory, under load", rare: 2, needs: onLinux,
		note: "the program ends and is started again, as by a supervisor",
		round: underLoad(func(s *scene) {
			p := s.programs[0]
			s.must(withoutMemory(p.cmd.Process.Pid))
			select {
			case <-p.ended:
			case <-time.After(2 * time.Second): // it gets along with what it has
				p.kill()
			}
			s.restart(p)
		}),
	},
}

// canMount says why a disk cannot be mounted here.
func canMount() error {
	disk, err := mountSmallDisk()
	if err != nil {
		return fmt.Errorf("a disk of its own cannot be mounted: %w", err)
	}
	disk.unmount()
	return nil
}
