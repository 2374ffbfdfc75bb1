// Package bot is the Discord adapter: slash commands, buttons and direct messages over market.Market. It puts
// together what the packages below it have, and is all that cmd sees.
//
// Package kernel is the way of an interaction. discord.Gateway keeps the connection and passes every event
// to it; it signs the user in, calls the handler of the command or custom ID and sends the reply. Handlers
// are in a package for each noun (requests, offers, trades, …), which adds its routes to the kernel's and
// imports no other noun. Package commands has the slash commands.
//
// State is in the database and in the custom IDs of components, never in memory, so a button works after a
// restart. Texts are in package text; what users typed is escaped by kernel.Translator.Text on its way into
// them.
//
// Notices go the other way: core calls the DMSender (package notices), which sends or edits a direct message.
//
// Discord's protocol is package discord, which knows nothing of the market.
package bot
