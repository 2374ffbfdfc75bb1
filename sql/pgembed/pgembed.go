// Package pgembed runs a private PostgreSQL as a child process: the database for an operator without a
// server.
//
// It is really PostgreSQL, found on this machine and started here, so everything works as on a separate
// server: transactions, LISTEN, jobs, backups. This package adds the care around it:
//
//   - Found, not fetched. [Options.BinDir] or PG_BIN_DIR decides; else the binaries that npm has put beside
//     the program or, for one in the bin folder of a checkout, into the dashboard's node_modules,
//     pg_config's, then PATH, then well-known folders, the newest first. A folder of data that already exists
//     decides first: it is served by its own major version or not at all.
//   - Reached through a socket only, in a folder that no other user may enter: no port can clash, and no
//     password is needed. The folder is in the temp directory, as a socket's path is limited to about 100
//     bytes. Its name follows from the data folder, so pools reconnect by themselves after a restart.
//   - Gone with its parent. On Linux the kernel interrupts PostgreSQL when its parent dies, however it dies;
//     elsewhere a small shell, waiting for the end of a pipe, does it. Committed data is there at the next
//     start.
//   - Brought back when it ends on its own, with a pause that grows to two seconds when it ends again.
//   - Shared. A second process on the same folder attaches to the server of the first, and takes it over
//     when the first one goes.
//   - Never root, since PostgreSQL refuses to be: as root it runs under the user postgres or nobody or, where
//     these may not enter the folder, in a user namespace that hides who we are.
//
// Windows is not supported: DATABASE_URL must name a database there.
package pgembed

import (
	"errors"
	"log/slog"
)

// Superuser owns every database of an embedded server. It has no password; the socket's folder is the lock.
const Superuser = "tradepost"

// DefaultDatabase is the database that Start makes when [Options.Database] is empty.
const DefaultDatabase = "tradepost"

// oldestMajor is the first PostgreSQL with everything our migrations use.
const oldestMajor = 15

// Options say where the data lives and how much it is worth. The zero value of a field is its default.
type Options struct {
	// DataDir keeps the data, in a folder per major version (DataDir/pg18). It is made when missing. For a
	// temporary server it is the folder in which the temporary folder is made; empty means the system's.
	DataDir string

	// Temporary servers start empty and leave nothing behind, also when their process is killed.
	Temporary bool

	// Fast trades safety against power cuts for speed. A killed process still loses nothing that was
	// committed.
	Fast bool

	// Streams lets standbys follow the server.
	Streams bool

	// Database is made when missing. Empty means [DefaultDatabase].
	Database string

	// Log receives restarts, and PostgreSQL's own log at debug level. Nil discards them.
	Log *slog.Logger

	// BinDir is the folder with initdb and postgres to use, and no other. Empty means PG_BIN_DIR, then a
	// search.
	BinDir string

	// SearchFrom are folders in or around a project that is trusted, for finding the binaries that npm has
	// installed. Empty means beside the program only: its own folder, or its checkout when it is in a bin
	// folder.
	SearchFrom []string
}

// ErrNotFound is in the error of [Start] when this machine has no usable PostgreSQL.
var ErrNotFound = errors.New("no PostgreSQL found")

func (o Options) withDefaults() Options {
	if o.Database == "" {
		o.Database = DefaultDatabase
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
