// Package migrations contains the schema of the market as forward-only goose files. sqlc reads the
// same files, so the schema exists once.
package migrations

import "embed"

// Files are the migrations, each named by its number and what it brings.
//
//go:embed *.sql
var Files embed.FS
