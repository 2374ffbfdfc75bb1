// Package deploy has the files that a market is deployed with on a machine with systemd. The documents show
// them as they are.
package deploy

import "embed"

// Files contains the systemd units, the timer and the configurations of the reverse proxies and PgBouncer.
//
//go:embed *.service *.timer Caddyfile nginx.conf pgbouncer.ini
var Files embed.FS
