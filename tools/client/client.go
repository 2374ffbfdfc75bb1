//go:build client

// Package client names what a Go client of the API needs, so that go.mod has its version. The client itself is
// generated and built by make verify, to see that other people's generators read the description.
package client

import _ "github.com/oapi-codegen/runtime" // the generated code imports it
