#!/usr/bin/env bash
# Prints the commands of a page, block after block, each behind "# block N": blocks.sh PAGE [HEADING]
# With a heading, only those of its section.
set -euo pipefail
awk -v heading="${2:-}" '
	/^#+ / { within = heading == "" || index($0, heading) > 0 }
	/^```/ { if (shown) { shown = 0 } else if ($0 == "```sh" && within) { shown = 1; print "# block " ++n }; next }
	shown { print }
' "$1"
