#!/usr/bin/env bash
# Writes who publishes Tradepost, and where, from deploy/publisher.env into every file that names it; with "check" it only fails where
# another stands. Each is found by the words around it, so that it needs no marks: an address of the repository, the name of the image,
# and the mail of SECURITY.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/publisher.env
repository=$FORGE/$OWNER/$REPOSITORY image=$REGISTRY/$OWNER/$REPOSITORY wrong=0
part='[A-Za-z0-9_.-]+'
forge="https://$part(:[0-9]+)?/$part/$part" # scheme, host, owner and repository

# the places in files that name it: a pattern of sed with what is kept in front and behind, and what stands between
rules=(
	"s#^(RELEASE=)$forge(/releases/)#\1$repository\3#"
	"s#(\]\()$forge(/releases\))#\1$repository\3#"
	"s#(git clone )$forge#\1$repository#"
	"s#^(Documentation=)$forge#\1$repository#"
	"s#(image\.source=\")$forge(\")#\1$repository\3#"
	"s#$forge(/security/advisories/new)#$repository\2#"
	"s#(TRADEPOST_IMAGE=)$part(:[0-9]+)?/$part/$part#\1$image#"
	"s#(by mail to <)[^>]+(>)#\1$SECURITY_MAIL\2#"
)
files=$(git grep -lE "releases/(latest/)?download|/releases\)|git clone|^Documentation=|image\.source|advisories/new|TRADEPOST_IMAGE=" -- '*.md' 'deploy/*' .env.example Dockerfile compose.yaml ':!CHANGELOG.md' ':!docs/decisions')
for file in $files; do
	fresh=$(mktemp)
	sed -E "${rules[@]/#/-e}" "$file" > "$fresh"
	if ! cmp -s "$fresh" "$file"; then
		if [ "${1:-}" = check ]; then
			echo "$file names another publisher than deploy/publisher.env:" >&2
			diff "$file" "$fresh" | grep '^[<>]' >&2 || true
			wrong=1
		else cat "$fresh" > "$file"; fi
	fi
	rm "$fresh"
done
# No other file names a place that another publisher would have to look for. Tests and history may name any.
known="releases[/)]|git clone|^[^:]*:[0-9]*:(Documentation=)|image\.source|advisories/new|TRADEPOST_IMAGE="
others=$(git grep -nIE "(OWNER/(REPOSITORY|tradepost)|${FORGE#*//}/$OWNER/|$REGISTRY/$OWNER/|$SECURITY_MAIL|github\.com/$part/tradepost)" -- . \
	':!deploy/publisher.env' ':!scripts/publisher.sh' ':!scripts/release-ready.sh' ':!CHANGELOG.md' ':!docs/decisions' ':!*package-lock.json' ':!*_test.go' | grep -vE "$known|by mail to <" || true)
[ -z "$others" ] || { printf 'Only deploy/publisher.env names these; let the place read it, or add a rule to scripts/publisher.sh:\n%s\n' "$others" >&2; wrong=1; }
exit $wrong
