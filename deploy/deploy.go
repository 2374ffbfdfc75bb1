// Package deploy has the files that a market is deployed with on a machine with systemd. The documents show them as they are.
package deploy

import "embed"

// Files are the units, the timer and the configurations of reverse proxies.
//
//go:embed *.service *.timer Caddyfile nginx.conf
var Files embed.FS
