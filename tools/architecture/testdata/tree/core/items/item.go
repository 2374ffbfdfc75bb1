// Package items names things.
package items

// Item is a thing.
type Item string
