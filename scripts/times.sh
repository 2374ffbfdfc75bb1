#!/usr/bin/env bash
# Prints how long builds and tests take, as docs/performance.md has it. Usage: times.sh [ROW ...], by default run generate
# check test ci. Each row is measured in a fresh clone of the last commit, or of AT=COMMIT, with an empty home; "again" is the
# same command once more; test also prints what took longest of it. Each figure is the time until the command ended and, behind
# it, for how long the machine's processors were busy. With BESIDE=4, four loops that never pause run beside it.
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
row() { printf '| %-58s | %15s | %15s |\n' "$1" "$2" "${3:-}"; }
busy() { awk '/^cpu / { print ($2 + $3 + $4 + $7 + $8) / 100 }' /proc/stat; }
seconds() { # of a command, or where it failed
	local began=$EPOCHREALTIME used
	used=$(busy)
	if ! "$@" >"$root/said" 2>&1; then
		awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { printf "failed, %.0f s\n", ended - began }'
		sed 's/\x1b\[[0-9;]*m//g' "$root/said" | grep -aE -A12 '^ *--- FAIL|^FAIL|^panic|✘|^ *[0-9]+\) |FAIL ' | grep -av level=DEBUG | head -150 >&2 || tail -40 "$root/said" >&2
		return
	fi
	awk -v began="$began" -v ended="$EPOCHREALTIME" -v used="$used" -v by="$(busy)" -v beside="$beside" 'BEGIN {
		printf "%.0f s", ended - began
		if (beside == 0) printf " (%.0f s)", by - used
	}'
}
longest() { # prints what took longest of the command that seconds ran last
	sed 's/\x1b\[[0-9;]*m//g' "$root/said" | awk '
		/^ok .*s$/ { sub(/s$/, "", $3); took[$2] = $3 }
		/ms$/ && $3 ~ /\.test\.tsx?$/ { sub(/ms$/, "", $NF); took["dashboard/" $3] = $NF / 1000 }
		match($0, /journeys\/[a-z-]+\.spec\.ts/) && /^ +✓/ {
			journey = substr($0, RSTART, RLENGTH); time = $NF; gsub(/[()]/, "", time)
			took["dashboard/e2e/" journey] += time ~ /m$/ ? 60 * time : time ~ /ms$/ ? time / 1000 : time + 0
		}
		END { for (what in took) printf "%.0f %s\n", took[what], what }' | sort -rn | head -25 |
		while read -r time name; do row "$name" "$time s"; done
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
		test) row 'make test' "$(seconds make test)" && longest ;;
		ci) row .ci/run "$(seconds .ci/run)" ;;
		esac
	)
done
size=$(git clone --quiet --depth 1 "file://$here" "$root/size" && du -sk --apparent-size "$root/size/.git" | cut -f1)
row 'git clone --depth 1' "$((size / 1024)) MiB"
