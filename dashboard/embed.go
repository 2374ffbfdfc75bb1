// Package dashboard embeds the built web page. It is empty until `npm run build` has been run
// here; until then a server shows a page with build instructions.
package dashboard

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the built page: index.html, assets/* (named by their content, so they may be cached
// forever) and a few files beside them. Text files have a .gz and a .br next to them.
var Dist fs.FS = sub(dist, "dist")

func sub(files fs.FS, dir string) fs.FS {
	inner, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // only for an invalid name, and this one is constant
	}
	return inner
}
