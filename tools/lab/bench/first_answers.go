package main

import (
	"context"
	"fmt"
	"time"

	"tradepost/bot/discordtest"
)

// answersMeasured is how often each command is sent.
const answersMeasured = 200

// measureFirstAnswers measures, for each kind of command, the time from the gateway's frame to the bot's
// first answer at the stand-in's REST interface. Discord gives 3 s; people feel 50 ms as at once.
func (b *bench) measureFirstAnswers(ctx context.Context) error {
	const name = "first answer: "
	if !b.wanted(name) {
		return nil
	}
	return b.withBot(ctx, func(t discordtest.TB, discord *discordtest.Discord, _ *program) {
		buyer, seller := discord.Player(t, "maple"), discord.Player(t, "rowan.ashdown")
		preview := buyer.Slash("request post", discordtest.Str("item", "Iron Ore"),
			discordtest.Int("quantity", 50), discordtest.Str("price", "10s"))
		preview.Button("Post").Press()
		seller.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 20),
			discordtest.Str("price", "1s"))
		request := buyer.Pick("request close", "request", "Iron")
		list, panel := seller.Slash("request browse"), seller.Slash("market")
		for _, one := range []struct {
			what string
			do   func(n int)
		}{
			{"/request browse", func(int) { seller.Slash("request browse") }},
			{"/request browse search", func(int) {
				seller.Slash("request browse",
					discordtest.Str("search", "iron"))
			}},
			{"/request browse for-me", func(int) {
				seller.Slash("request browse",
					discordtest.Bool("for-me", true))
			}},
			{"/request post", func(int) {
				buyer.Slash("request post", discordtest.Str("item", "Oak Log"),
					discordtest.Int("quantity", 5), discordtest.Str("price", "1s"))
			}},
			{"/request mine", func(int) { buyer.Slash("request mine") }},
			{"/request show", func(int) { buyer.Slash("request show", request) }},
			{"/request edit", func(n int) {
				buyer.Slash("request edit", request,
					discordtest.Int("quantity", int64(100+n)))
			}},
			{"/offer list", func(int) { buyer.Slash("offer list") }},
			{"/offer mine", func(int) { seller.Slash("offer mine") }},
			{"/sales history", func(int) { buyer.Slash("sales history", request) }},
			{"/market", func(int) { buyer.Slash("market") }},
			{"/item look", func(int) { buyer.Slash("item look", discordtest.Str("item", "Iron Ore")) }},
			{"/have", func(n int) {
				seller.Slash("have", discordtest.Str("item", "Iron Ore"),
					discordtest.Int("quantity", int64(20+n)), discordtest.Str("price", "1s"))
			}},
			{"/fill", func(int) { seller.Slash("fill") }},
			{"a button: my trades", func(int) { panel.Button("My trades").Press() }},
			{"a button: settings", func(int) { panel.Button("Settings").Press() }},
			{"/board list", func(int) { buyer.Slash("board list") }},
			{"a completion", func(int) { seller.Complete("offer send", "request", "iron") }},
			{"a button: another page", func(n int) { list = list.Button([]string{"▶", "◀"}[n%2]).Press() }},
			{"a completion of items", func(int) { seller.Complete("item look", "item", "ir") }},
		} {
			b.firstAnswers(discord, name+one.what, one.do)
			if ctx.Err() != nil {
				t.Fatalf("%v", ctx.Err())
			}
		}
	})
}

func (b *bench) firstAnswers(discord *discordtest.Discord, name string, do func(n int)) {
	for n := range 10 {
		do(n)
	}
	took := make([]time.Duration, 0, answersMeasured)
	for n := range answersMeasured {
		began := time.Now()
		do(n)
		took = append(took, time.Since(began))
		if n%50 == 0 {
			discord.ForgetRequests()
		}
	}
	p50, p99 := percentile(took, 0.5), percentile(took, 0.99)
	b.add(row{
		size: b.size, name: name, figure: fmt.Sprintf("%s, p99 %s", short(p50), short(p99)), queries: -1,
		value: p99.Seconds() * 1000, most: 50,
		ours: measured{p50: p50, p99: p99},
	})
}
