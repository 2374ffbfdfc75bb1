// Package bot is the market's door in Discord: slash commands, buttons and direct messages over core.Market.
//
// The way of an interaction: gateway.go keeps the connection and hands every event to router.go, which decodes it
// (interaction.go), asks who it is, calls the handler of the command (orders.go, offers.go, sales.go, …) and sends
// what it returns (reply.go): input in, (Reply, error) out. Handlers never speak to Discord.
//
// State lives in the database and in the custom_id of what is pressed (press.go), never in memory, so a button works
// after a restart. Words live in the catalogue (messages.go and one file a language); text typed by users is escaped
// in one place (escape.go) on its way into it.
//
// Notices go the other way: core calls the Courier (courier.go), which writes, sends or edits a direct message.
//
// Package discordgo carries the gateway; requests go through our own small client (rest.go), because the library's
// sleeps through deadlines and keeps memory for every interaction.
package bot
