//go:build unix && !linux

package main

import (
	"context"
	"fmt"
	"io"
)

// playFailovers needs Linux's network namespaces.
func (g *ground) playFailovers(_ context.Context, _ int, out io.Writer) error {
	fmt.Fprintln(out, "the cluster is played on Linux only")
	return nil
}

// playEdge needs Linux's /proc.
func (g *ground) playEdge(_ context.Context, out io.Writer) error {
	fmt.Fprintln(out, "the cache in front is played on Linux only")
	return nil
}
