// Package markettest tests market.Market with the real store, on a PostgreSQL of its own. The rules that need
// neither are tested in package core, in about a second.
package markettest
