#!/usr/bin/env bash
# Prints the folder of each Go module that has packages, the product's first: every go.mod that Git knows or would add. With "all" it
# prints those that only name the versions of tools, too. Modules of test data are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -co --exclude-standard '*go.mod' | sed 's|/\{0,1\}go\.mod$||; s|^$|.|' | grep -vE '(^|/)testdata(/|$)' | LC_ALL=C sort -u |
	while read -r module; do
		[ "${1:-}" = all ] || [ -n "$(cd "$module" && go list ./... 2>/dev/null | head -1)" ] || continue
		echo "$module"
	done
