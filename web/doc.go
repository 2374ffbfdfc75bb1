// Package web is the market's door for browsers: the HTTP interface, sign-in, live events and the pages of the dashboard.
//
// routes.go is the table of contents. Behind it there is one file for each noun (orders.go, offers.go, sales.go, me.go,
// notices.go), which holds the operations and the JSON shapes of that noun. An operation takes what was asked, calls the
// core once and shapes the answer; it mentions no failing status. What a refusal looks like is decided in problem.go, what
// a request body may be in body.go.
//
// The package keeps no state of its own besides the open event streams: sessions live in the store that it is given.
package web
