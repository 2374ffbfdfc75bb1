#!/usr/bin/env bash
# Packs the program for each system into OUT, with what running it needs: release.sh OUT VERSION SYSTEM...
# An archive (a zip for Windows) has one folder of its own name. It holds the program with the page inside, the documents, compose.yaml,
# all of deploy/, the licences of everything linked, and lists of what program and page are built from (CycloneDX). For Linux there is a
# Debian package of the same files, too. The same commit gives the same bytes, wherever and whenever it is packed.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1 version=$2
shift 2
umask 022
export TZ=UTC LC_ALL=C
# As in the Makefile: packages that are compiled already serve, and the program notes the flags that it was built with.
export GOFLAGS='-trimpath -gcflags=all=-dwarf=false -ldflags=-w' CGO_ENABLED=0
# The time of all files in it.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. deploy/publisher.env
go build -C tools/licences -o "$work/licences" .
go build -C tools/release -o "$work/pack" .
go build -C tools/release -o "$work/nfpm" github.com/goreleaser/nfpm/v2/cmd/nfpm
go build -C tools/release -o "$work/cyclonedx" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
tools=$PWD/tools/release/node_modules/.bin
[ -e "$tools/cyclonedx-npm" ] || npm --prefix tools/release ci --omit=optional --loglevel=error >/dev/null

echo '  what the page is built from'
page=dashboard
if [ -d dashboard/node_modules/vitest ]; then # what only checks the page is installed there, too, and would be listed in part
	page=$work/page
	mkdir -p "$page/src/test/shadcn"
	cp dashboard/package.json dashboard/package-lock.json dashboard/.npmrc "$page/"
	cp dashboard/src/test/shadcn/package.json "$page/src/test/shadcn/"
	(cd "$page" && npm ci --omit=dev --prefer-offline --loglevel=error >/dev/null)
fi
# Without a time and a serial number. What builds the page is listed, too: Vite, and its compiler for this machine.
(cd "$page" && "$tools/cyclonedx-npm" --omit dev --omit optional --output-reproducible --gather-license-texts --short-PURLs \
	--mc-type application --output-file "$work/sbom-page.cdx.json")

# lay_out puts everything but the program into a folder: lay_out FOLDER PROGRAM
lay_out() {
	mkdir -p "$1"
	"$work/licences" "$2" > "$1/LICENSES.txt"
	# It warns of each licence that it does not know, as of the market's own; all texts are in LICENSES.txt.
	"$work/cyclonedx" bin -json -licenses -std -noserial -notimestamp -version "${version:-devel}" -output "$1/sbom.cdx.json" "$2" 2> "$work/log" ||
		{ cat "$work/log" >&2; return 1; }
	cp -r "$work/sbom-page.cdx.json" dashboard/dist/licences.md LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md .env.example compose.yaml docs deploy "$1/"
	rm "$1"/deploy/*.go "$1/deploy/upgrade-from"
	# What another game's operator begins with; docs/operations.md leads there.
	install -D -m 644 core/game/game.json "$1/core/game/game.json"
	install -D -m 644 core/items/game_items.csv "$1/core/items/game_items.csv"
}

# package makes the Debian package of the files that are laid out: package ARCH FOLDER
package() {
	local root=$work/root
	install -d "$root/usr/bin" "$root/usr/lib/systemd/system" "$root/usr/share/doc/tradepost"
	cp -r "$2" "$root/usr/share/tradepost"
	mv "$root/usr/share/tradepost/tradepost" "$root/usr/bin/tradepost"
	for unit in deploy/*.service deploy/*.timer; do
		sed 's|/usr/local/bin/|/usr/bin/|' "$unit" > "$root/usr/lib/systemd/system/${unit#deploy/}"
	done
	{
		printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Tradepost\nSource: %s/%s/%s\n\n' "$FORGE" "$OWNER" "$REPOSITORY"
		printf 'Files: *\nCopyright: the authors of Tradepost\nLicense: Apache-2.0\n On Debian: /usr/share/common-licenses/Apache-2.0. The licences of all that is linked\n are in /usr/share/tradepost, in LICENSES.txt and licences.md.\n'
	} > "$root/usr/share/doc/tradepost/copyright"
	chmod -R u=rwX,go=rX "$root" # a checkout has the rights of its owner's umask
	find "$root" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
	local number=${version#v}
	PACKAGE_ROOT=$root PACKAGE_ARCH=$1 PACKAGE_VERSION=$(tr - '~' <<<"${number:-0.0.0-$(git rev-parse --short HEAD)}") PACKAGE_MAINTAINER="$OWNER <$SECURITY_MAIL>" \
		PACKAGE_HOMEPAGE=$FORGE/$OWNER/$REPOSITORY "$work/nfpm" package --config tools/release/nfpm.yaml --packager deb --target "$out/tradepost_$1.deb" >/dev/null
	rm -r "$root"
}

for system in "$@"; do
	os=${system%/*} arch=${system#*/}
	name=tradepost-$os-$arch
	program=tradepost$([ "$os" != windows ] || echo .exe)
	echo "  $name"
	mkdir -p "$work/$name"
	GOOS=$os GOARCH=$arch go build -ldflags "-s -w -X tradepost/cmd/tradepost/version.released=$version" -o "$work/$name/$program" ./cmd/tradepost
	lay_out "$work/$name" "$work/$name/$program"
	if [ "$os" = windows ]; then "$work/pack" "$out/$name.zip" "$work/$name"; else "$work/pack" "$out/$name.tar.gz" "$work/$name"; fi
	[ "$os" != linux ] || package "$arch" "$work/$name"
	rm -r "${work:?}/$name"
done
cd "$out" && sha256sum tradepost[-_]* > SHA256SUMS
