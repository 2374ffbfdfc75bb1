// Package standin is left out, of what and by what and those of whose.
package standin
