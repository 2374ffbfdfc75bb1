// Package feeds serves the open requests as feeds: Atom for readers, CSV for spreadsheets, JSON for programs.
// A feed is the same for everyone, and has no contact and no in-game name.
package feeds
