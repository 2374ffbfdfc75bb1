#!/usr/bin/env bash
# Packs two fresh clones of the commit, in folders of different names, with other times, languages and rights, and fails when one byte
# differs: release-twice.sh VERSION SYSTEM...
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/var/tmp}/tradepost-twice.XXXXXX")
trap 'rm -rf "$work"' EXIT
version=$1
shift
one() { # FOLDER
	git clone -q --no-local --no-checkout . "$work/$1"
	git -C "$work/$1" checkout -q "$commit"
	make -C "$work/$1" release VERSION="$version" SYSTEMS="${systems[*]}" >/dev/null
	mv "$work/$1/release" "$work/files-of-$1"
	rm -rf "${work:?}/$1"
}
systems=("$@")
commit=$(git rev-parse HEAD) # the second clone is made minutes later
(umask 022 && TZ=UTC LANG=C one a)
(umask 077 && TZ=Asia/Tokyo LANG=de_DE.UTF-8 one another-place)
if ! diff -r "$work/files-of-a" "$work/files-of-another-place"; then
	for one in a another-place; do mkdir "$work/in-$one" && tar -C "$work/in-$one" -xzf "$work/files-of-$one"/tradepost-*.tar.gz; done
	diff -rq "$work/in-a" "$work/in-another-place" || true
	exit 1
fi
cat "$work/files-of-a/SHA256SUMS"
echo 'Both clones gave the same bytes.'
