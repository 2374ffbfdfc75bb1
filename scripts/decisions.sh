#!/usr/bin/env bash
# Prints docs/decisions/README.md with the present title of each decision in its line, and fails when a decision has no line or two.
set -euo pipefail
cd "$(dirname "$0")/../docs/decisions"
wrong=0
while IFS= read -r line; do
	if [[ $line =~ ^-\ \[([0-9]+)\]\((.+\.md)\) ]]; then
		file=${BASH_REMATCH[2]}
		title=$(sed -n '1s/^# [0-9]*\. //p' "$file") || title=
		[ -n "$title" ] || { echo "docs/decisions/README.md: $file has no title" >&2; wrong=1; }
		line="- [${BASH_REMATCH[1]}]($file) $title"
	fi
	printf '%s\n' "$line"
done < README.md
for file in 0*.md; do
	[ "$(grep -cF "($file)" README.md)" = 1 ] || { echo "docs/decisions/README.md: $file needs one line in one subject" >&2; wrong=1; }
done
exit $wrong
