#!/usr/bin/env bash
# Prints how long builds and tests take, as docs/performance.md has it. Usage: times.sh [ROW ...], by default run generate check test ci.
# Each row is measured in a fresh clone of the last commit, or of AT=COMMIT, with an empty home; "again" is the same command
# once more. Each figure is the time until it ended and, behind it, the processors' time. With BESIDE=4, four loops that never
# pause run beside it.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD beside=${BESIDE:-0} at=$(git rev-parse --short "${AT:-HEAD}") rows=${*:-run generate check test ci}
root=$(mktemp -d "${TMPDIR:-/tmp}/tradepost-times-XXXXXX")
loops=()
cleanup() {
	for loop in "${loops[@]}"; do kill "$loop" 2>/dev/null || true; done
	chmod -R u+w "$root" && rm -rf "$root"
}
trap cleanup EXIT
for ((i = 0; i < beside; i++)); do (while :; do :; done) & loops+=($!); done

# fresh makes a clone with a home of its own, and goes there.
fresh() {
	mkdir -p "$root/$1/home"
	git clone --quiet "file://$here" "$root/$1/tradepost"
	cd "$root/$1/tradepost"
	git checkout --quiet "$at"
	export HOME=$root/$1/home npm_config_cache=$root/$1/home/.npm
	unset GOPATH GOCACHE GOMODCACHE XDG_CACHE_HOME MAKEFLAGS MAKELEVEL MFLAGS
}
row() { printf '| %-35s | %15s | %15s |\n' "$1" "$2" "${3:-}"; }
seconds() { # of a command, or where it failed
	local TIMEFORMAT='%R %U %S'
	if { time "$@" >"$root/said" 2>&1; } 2>"$root/took"; then
		awk '{ printf "%.0f s (%.0f s)", $1, $2 + $3 }' "$root/took"
	else
		echo "failed"
		tail -40 "$root/said" >&2
	fi
}
opened() { # runs the market until it says that it is open
	make run LISTEN=127.0.0.1:0 DISCORD_LISTEN=127.0.0.1:0 >"$root/said" 2>&1 & local market=$!
	until grep -q 'The market is open' "$root/said"; do kill -0 $market || return 1; sleep 0.1; done
	pkill -INT -P $market tradepost || kill -INT $market; wait $market || true
}

echo "$(nproc) processors, $beside loops beside, commit $at"
row what cold again
row :-- --: --:
for what in $rows; do
	(
		fresh "$what"
		case $what in
		run) row 'make run, until the market is open' "$(seconds opened)" "$(seconds opened)" ;;
		generate) row 'make generate' "$(seconds make generate)" "$(seconds make generate)" ;;
		check) row 'make check' "$(seconds make check)" "$(seconds make check)" ;;
		test)
			began=$SECONDS
			for part in test-go test-dashboard test-browser; do row "make $part" "$(seconds make $part)"; done
			row 'make test, which is these' "$((SECONDS - began)) s" ;;
		ci) row .ci/run "$(seconds .ci/run)" ;;
		esac
	)
done
size=$(git clone --quiet --depth 1 "file://$here" "$root/size" && du -sk --apparent-size "$root/size/.git" | cut -f1)
row 'git clone --depth 1' "$((size / 1024)) MiB"
