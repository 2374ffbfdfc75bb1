// Package docs serves the description of the HTTP interface: as OpenAPI in JSON and YAML, as a page that
// people read, and as a catalogue that programs find it by.
package docs
