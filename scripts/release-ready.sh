#!/usr/bin/env bash
# Fails when a version is not ready to be published at an address: release-ready.sh v0.9.0 https://github.com/OWNER/REPOSITORY
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/publisher.env
version=$1 address=$2 wrong=0
complain() { echo "release: $*" >&2; wrong=1; }
[ "$FORGE/$OWNER/$REPOSITORY" = "$address" ] || complain "deploy/publisher.env names $FORGE/$OWNER/$REPOSITORY, and this is $address (docs/publishing.md)"
[ "$SECURITY_MAIL" != security@publisher.example ] || complain 'deploy/publisher.env names nobody who answers security mail (docs/publishing.md)'
awk -v wanted="${version#v}" '/^## / { name = $2; gsub(/[][]/, "", name); if (name == wanted) found = 1 } END { exit !found }' CHANGELOG.md ||
	complain "CHANGELOG.md has no chapter ## ${version#v}"
exit $wrong
