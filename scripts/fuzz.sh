#!/usr/bin/env bash
# Runs every fuzz target of every module for a while. Usage: fuzz.sh 20s
# What it fails on is written to testdata/fuzz beside the test, and belongs in the commit that fixes it: what is kept there
# runs with every `go test`.
set -euo pipefail
cd "$(dirname "$0")/.."
git grep -lE '^func Fuzz' -- '*_test.go' | sed 's|^|./|' | sort | while read -r file; do
	grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | cut -d' ' -f2 | while read -r target; do
		echo "==> $target (${1:-20s})"
		module=$(dirname "$file")
		until [ -e "$module/go.mod" ]; do module=$(dirname "$module"); done
		folder=$(dirname "$file")
		go test -C "$module" -run '^$' -fuzz "^$target\$" -fuzztime "${1:-20s}" "./${folder#"$module"/}"
	done
done
