#!/usr/bin/env bash
# Prints the folder of each Go module that has packages, the product's first: every go.mod that Git knows or would add. With "all" it
# prints those that only name the versions of tools, too. Modules of test data are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -co --exclude-standard '*go.mod' | sed 's|/\{0,1\}go\.mod$||; s|^$|.|' | grep -vE '(^|/)testdata(/|$)' | LC_ALL=C sort -u |
	while read -r module; do
		# Fail if go list can't read a module: a module left out here is not tested.
		packages=$(go list -C "$module" ./... 2> >(grep -v 'matched no packages' >&2))
		[ "${1:-}" = all ] || [ -n "$packages" ] || continue
		echo "$module"
	done
