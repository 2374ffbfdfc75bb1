// Package discordtest is a stand-in for Discord: the REST interface, the gateway and the sign-in, on one
// local address, for an unmodified discordgo and an unmodified golang.org/x/oauth2. Tests use it in
// process, `tradepost demo` serves it together with a page on which one is any of four players.
//
// It enforces Discord's rules. Every request is compared with Discord's own machine-readable
// description (the folder openapi) and with the documented limits that the description leaves out
// (limits.go); a request that breaks them fails the test. An interaction must be answered within
// three seconds and once, tokens die after fifteen minutes, an ephemeral answer stays ephemeral,
// and so on. People are held to what a real client lets them do: options within their bounds,
// buttons that are there and enabled, fields that fit.
//
// # A test
//
//	func TestAPostedRequestIsShown(t *testing.T) {
//		t.Parallel()
//		discord := discordtest.New(t)
//		startBot(t, discord) // connects with discord.Token() through discord.Client() or discord.Session(t)
//		discord.WaitForBot(t)
//
//		maple := discord.Player(t, "maple")
//		preview := maple.Slash("request post",
//			discordtest.Str("item", "Iron Ore"),
//			discordtest.Int("quantity", 500),
//			discordtest.Str("price", "1p 500g"))
//		if !preview.Private() || !strings.Contains(preview.Text(), "Iron Ore") {
//			t.Errorf("preview = %q", preview.Text())
//		}
//		posted := preview.Button("Post").Press()
//
//		rowan := discord.Player(t, "rowan.ashdown")
//		rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 200))
//
//		dm := maple.NextDM()
//		modal := dm.Button("Accept part").Press().Modal
//		done := modal.Submit(map[string]string{"Quantity": "50"})
//		_, _ = posted, done
//	}
//
// Slash, Press, Choose and Submit wait for the bot's whole answer: after a deferral, for the edit that
// follows. Their Start forms do not wait and give a Pending. A View is what a player saw when they looked;
// Now looks again and WaitEdit waits for a change. Text joins everything readable. Nothing in the driver
// sleeps: it waits for a signal, and fails the test after Options.Patience with what is known about the
// answer that did not come.
//
// ForgeSlash, ForgePress and ForgeSubmit send what no client would send.
//
// # Misfortune
//
//	discord.Fail("POST /channels/*/messages", 2, discordtest.Outage(503))
//	discord.Fail("POST /users/@me/channels", 1, discordtest.RefusingWith(40003))
//	discord.Fail("POST /channels/{channel_id}/messages", 1, discordtest.Losing()) // sent, but the answer is lost
//	discord.Fail("* /**", discordtest.Always, discordtest.Hanging())
//	maple.CloseDMs()                        // 50007
//	discord.RevokeToken()                   // 401, and 4004 at the gateway
//	discord.Gateway().Silence()             // a link that is dead and looks alive
//	discord.Gateway().Next(discordtest.ReconnectInstead)
//	discord.Gateway().Say([]byte("no JSON"))
//	discord.Advance(4 * time.Second)        // the stand-in's clock
//
// Discord.Requests, Messages, DMs and Violations tell what happened.
//
// # Places
//
//	d.Channel("request-board").DenyBot(discordgo.PermissionEmbedLinks) // overwrites, for the bot or a role
//	thread := d.Channel("tavern").StartThread("Ore")                   // thread.Archive(), thread.Lock()
//	forum := d.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner").NeedTag()
//	other := d.NewServer("Emberfall", "market", maple).InviteBot(permissions) // other.RemoveBot()
//	other.Restrict("board", role, false)                               // as on the server's integrations page
//	rowan.InstallForMyself().In(d.Conversation(rowan, maple)).Slash("request mine")
//
// A server that is served alone has Discord's limits (RealLimits); tests set Options.Limits to have them.
//
// # What it does not play
//
// Files, reactions, emojis of servers, pins, polls, stickers, the order of roles, voice, webhooks of
// channels, sharding, user commands, and the HTTP way of receiving interactions. A request for one of these
// is answered with 404 and reported as a violation, so that no test passes by it unnoticed. Where Discord's
// description of its interface is known to be wrong, corrections and additions in openapi.go say how and
// why.
package discordtest
