// Package serving has what every request goes through before an operation or a page answers it:
// connections, limits, the cache of responses, compression, logs and metrics. It also serves events and
// health.
package serving
