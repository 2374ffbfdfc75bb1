// Package kernel has the parts that the rest of the HTTP adapter shares. A noun registers its operations
// with an API, which routes requests to them, decodes their bodies, writes their answers and problems, and
// describes them. An operation depends on who asks when its input has a Caller. Shapes that several nouns
// have in their answers are here, too.
//
// The package imports none of the others below web.
package kernel
