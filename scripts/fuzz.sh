#!/usr/bin/env bash
# Runs every fuzz target of the project for a while. Usage: fuzz.sh 20s
# What it fails on is written to testdata/fuzz beside the test, and belongs in the commit that fixes it: what is kept there
# runs with every `go test`.
set -euo pipefail
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz' --include='*_test.go' . | sort | while read -r file; do
	grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | cut -d' ' -f2 | while read -r target; do
		echo "==> $target (${1:-20s})"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-20s}" "$(dirname "$file")"
	done
done
