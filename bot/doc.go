// Package bot is the Discord adapter: slash commands, buttons and direct messages over core.Market.
//
// The way of an interaction: discord.Gateway keeps the connection and passes every event to router.go, which decodes it,
// signs the user in, calls the handler of the command or custom ID (routes.go) and sends the Reply that it returns. Handlers
// are in files by noun (requests_post.go, offers_received.go, …): input in, (Reply, error) out. They never speak to Discord.
//
// State is in the database and in the custom IDs of components, never in memory, so a button works after a restart. Texts
// are in package text; what users typed is escaped by translator.text on its way into them.
//
// Notices go the other way: core calls the DMSender (dm_sender.go), which sends or edits a direct message.
//
// Discord's protocol is package discord, which knows nothing of the market.
package bot
