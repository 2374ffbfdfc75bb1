// Package deploy has the files that a market is deployed with on a machine with systemd. The documents show them as they are.
package deploy

import "embed"

// Files are the units, the timer, the configurations of reverse proxies and that of PgBouncer.
//
//go:embed *.service *.timer Caddyfile nginx.conf pgbouncer.ini
var Files embed.FS
