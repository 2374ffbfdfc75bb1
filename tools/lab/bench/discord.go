package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"tradepost/bot/discordtest"
)

// standIn starts the stand-in Discord, and returns the settings that connect the program to it.
func standIn() (*discordtest.Discord, []string, error) {
	// Discord's limits are not what is measured
	discord, err := discordtest.Serve(discordtest.Options{Limits: &discordtest.Unlimited})
	if err != nil {
		return nil, nil, err
	}
	return discord, []string{"DISCORD_API_URL=" + discord.URL(), "DISCORD_TOKEN=" + discord.Token()}, nil
}

// judge is what the stand-in reports to when a player cannot do something.
type judge struct{ err error }

// Helper does nothing.
func (j *judge) Helper() {}

// Logf does nothing.
func (j *judge) Logf(string, ...any) {}

// Cleanup does nothing: what is started here is stopped here.
func (j *judge) Cleanup(func()) {}

// Errorf notes what went wrong.
func (j *judge) Errorf(format string, args ...any) {
	j.err = errors.Join(j.err, fmt.Errorf(format, args...))
}

// Fatalf notes what went wrong and ends the goroutine.
func (j *judge) Fatalf(format string, args ...any) {
	j.Errorf(format, args...)
	runtime.Goexit()
}

// play runs what a player does, in a goroutine that may end early.
func play(do func(discordtest.TB)) error {
	j := &judge{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(j)
	}()
	<-done
	return j.err
}

// withBot runs what is done with a bot that is connected to a stand-in Discord.
func (b *bench) withBot(
	ctx context.Context, do func(t discordtest.TB, discord *discordtest.Discord, p *program),
) error {
	discord, env, err := standIn()
	if err != nil {
		return err
	}
	defer discord.Close()
	p, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, env, "--only=bot")
	if err != nil {
		return err
	}
	defer p.stop()
	return play(func(t discordtest.TB) {
		discord.WaitForBot(t)
		do(t, discord, p)
	})
}

// measureBot measures answers to interactions, from the gateway's frame to the answer at the stand-in's
// REST interface, and what the bot occupies after many.
func (b *bench) measureBot(ctx context.Context) error {
	const browsing, completing, growing = "/request browse, frame to answer", "autocomplete, frame to answer",
		"bot: memory after interactions"
	if !b.wanted(browsing) && !b.wanted(completing) && !b.wanted(growing) {
		return nil
	}
	return b.withBot(ctx, func(t discordtest.TB, discord *discordtest.Discord, p *program) {
		player := discord.Player(t, "maple")
		browse := func(int) { player.Slash("request browse") }
		words := []string{"iron", "or", "kraken", "wild mush", "x", "oak"}
		complete := func(n int) { player.Complete("offer send", "request", words[n%len(words)]) }
		b.answers(discord, browsing, 400, browse)
		b.answers(discord, completing, 400, complete)
		if !b.wanted(growing) || b.size != b.sizes[len(b.sizes)-1] {
			return
		}
		before, err := p.memory()
		if err != nil {
			t.Fatalf("%v", err)
		}
		began := time.Now()
		for n := range b.interactions {
			if n%4 == 0 {
				browse(n)
			} else {
				complete(n)
			}
			if n%500 == 0 {
				discord.ForgetRequests()
			}
			if ctx.Err() != nil {
				t.Fatalf("%v", ctx.Err())
			}
		}
		after, err := p.memory()
		if err != nil {
			t.Fatalf("%v", err)
		}
		r := row{size: b.size, name: growing, queries: -1, value: after / mebibyte}
		r.figure = fmt.Sprintf("%.0f MiB, %.0f before %s of them", after/mebibyte, before/mebibyte,
			count(float64(b.interactions)))
		b.add(r)
		progress("%d interactions took %s", b.interactions, time.Since(began).Round(time.Second))
	})
}

func (b *bench) answers(discord *discordtest.Discord, name string, times int, do func(n int)) {
	if !b.wanted(name) {
		return
	}
	for n := range 20 {
		do(n)
	}
	var took []time.Duration
	for n := range times {
		began := time.Now()
		do(n)
		took = append(took, time.Since(began))
		if n%100 == 0 {
			discord.ForgetRequests()
		}
	}
	p99 := percentile(took, 0.99)
	b.add(row{
		size: b.size, name: name, figure: short(p99), queries: -1, value: p99.Seconds() * 1000, most: 50,
		ours: measured{p50: percentile(took, 0.5), p99: p99},
	})
}
