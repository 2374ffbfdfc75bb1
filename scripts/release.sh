#!/usr/bin/env bash
# Packs the program for each system into OUT, with what running it needs: release.sh OUT VERSION SYSTEM...
# An archive has one folder of its own name. It holds the program with the page inside, the documents, compose.yaml, the files of
# deploy/, the licences of everything linked, and a list of what it is built from (CycloneDX). The program does not depend on where it
# was built: the same commit gives the same one.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1 version=$2
shift 2
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd tools/sbom && go build -o "$work/sbom" .)
go build -C tools/licences -o "$work/licences" .
for system in "$@"; do
	os=${system%/*} arch=${system#*/}
	name=tradepost-$os-$arch
	program=tradepost$([ "$os" != windows ] || echo .exe)
	echo "  $name"
	mkdir -p "$work/$name/deploy"
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X tradepost/cmd/tradepost/version.released=$version" -o "$work/$name/$program" ./cmd/tradepost
	"$work/licences" "$work/$name/$program" > "$work/$name/LICENSES.txt"
	"$work/sbom" "$work/$name/$program" "${version:-devel}" > "$work/$name/sbom.cdx.json"
	cp -r dashboard/dist/licences.md LICENSE README.md CHANGELOG.md SECURITY.md .env.example compose.yaml docs "$work/$name/"
	find deploy -maxdepth 1 -type f ! -name '*.go' ! -name upgrade-from -exec cp -t "$work/$name/deploy" {} +
	tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
	rm -r "${work:?}/$name"
done
cd "$out" && sha256sum tradepost-*.tar.gz > SHA256SUMS
