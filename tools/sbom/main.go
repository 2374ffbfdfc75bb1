// Command sbom prints what a Go program is built from, as a CycloneDX bill of materials: Go itself and
// every linked module, with versions and checksums, from what the build noted in the program.
//
//	go run . ../../bin/tradepost v1.4.0 > sbom.cdx.json
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM VERSION")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// write prints the bill of materials of a program. The same program gives the same bytes: it has no time
// and no serial number.
func write(out io.Writer, program, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what the program is made of: %w", err)
	}
	self := module(&debug.Module{Path: info.Main.Path, Version: version})
	self.Type = cyclonedx.ComponentTypeApplication
	components := []cyclonedx.Component{module(&debug.Module{Path: "std", Version: info.GoVersion})}
	needs := []string{components[0].BOMRef}
	for _, dep := range info.Deps {
		linked := dep
		if dep.Replace != nil {
			linked = dep.Replace
		}
		c := module(linked)
		components, needs = append(components, c), append(needs, c.BOMRef)
	}
	var settings []cyclonedx.Property
	for _, s := range info.Settings {
		settings = append(settings, cyclonedx.Property{Name: "go:build:" + s.Key, Value: s.Value})
	}
	self.Properties = &settings
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &self}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: self.BOMRef, Dependencies: &needs}}
	encoder := cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.EncodeVersion(bom, cyclonedx.SpecVersion1_6); err != nil {
		return fmt.Errorf("write the bill of materials: %w", err)
	}
	return nil
}

// module describes a module. Go's sum of one is a hash of its files' hashes.
func module(m *debug.Module) cyclonedx.Component {
	address := "pkg:golang/" + m.Path + "@" + m.Version
	c := cyclonedx.Component{
		BOMRef: address, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
		PackageURL: address,
	}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil &&
		len(sum) == 32 {
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c
}
