// Package web is the market's door for browsers: the HTTP interface, sign-in, live events and the pages of the dashboard.
//
// routes.go is the table of contents. Behind it there is one file for each noun (orders.go, offers.go, sales.go, me.go,
// notices.go), with the operations and JSON shapes of that noun. An operation reads the
// input, calls the core once and returns the response; it sets no error status. Errors become
// responses in problem.go, request bodies are read in body.go.
//
// The package keeps no state of its own besides the open event streams: sessions live in the store that it is given.
package web
