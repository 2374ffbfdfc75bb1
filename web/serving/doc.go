// Package serving handles every request before an operation or a page answers it. It has connections,
// limits, the cache of responses, compression, logs and metrics. It also serves events and health.
package serving
