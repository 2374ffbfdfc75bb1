// Package web is the market's door for browsers: the HTTP interface, sign-in, live events and the pages of
// the dashboard.
//
// routes.go is the table of contents. The package puts together what is below it: a package for each noun
// (trade, items, match, people, moderation, notices) has the operations and JSON shapes of that noun, pages
// has the documents of the dashboard, and serving has what every request goes through. All of them import
// kernel, and none imports another. Code that needs several of them, such as the account export, is here.
//
// An operation reads the input, calls the core once and returns the response; it sets no error status. The
// kernel reads request bodies and makes responses of errors.
//
// The adapter keeps no state of its own besides the open event streams: sessions live in the store that it
// is given.
package web
