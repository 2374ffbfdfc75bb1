// Command standin serves the stand-in for Discord alone, for a market that is installed as an operator
// would (make install-test). It prints the token and the client secret, and runs until it is ended.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"tradepost/bot/discordtest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

func run() error {
	listen := flag.String("listen", "127.0.0.1:8081", "address to serve on")
	redirect := flag.String("redirect", "", "address that people may be sent back to after signing in")
	state := flag.String("state", "", "file that keeps everything over a restart")
	unlimited := flag.Bool("unlimited", false, "take any number of requests, instead of as many as Discord")
	flag.Parse()
	limits := &discordtest.RealLimits
	if *unlimited {
		limits = &discordtest.Unlimited
	}
	discord, err := discordtest.Serve(discordtest.Options{Limits: limits, Listen: *listen, StatePath: *state,
		RedirectURIs: []string{*redirect}})
	if err != nil {
		return err
	}
	fmt.Println(discord.Token())
	fmt.Println(discord.ClientSecret())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	return discord.Close()
}
