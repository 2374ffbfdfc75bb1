#!/usr/bin/env bash
# Builds Citus from an archive of its source, starts a coordinator and two workers in a temporary folder, runs the migrations in a
# distributed schema and the store's tests on it, and prints a table. It leaves nothing running. See docs/distributed.md.
# citus/run.sh [ARCHIVE]
set -uo pipefail
export LC_ALL=C # comm wants one order
cd "$(dirname "$0")/../../.."
here=tools/lab/citus
leave() { echo "citus: $*; nothing was done"; exit 0; }
[ -n "${1:-}" ] || leave 'CITUS_SRC does not name the archive of the source of Citus 13 (make citus CITUS_SRC=citus-13.2.2.tar.xz)'
[ -r "$1" ] || leave "there is no file $1 (CITUS_SRC)"
[ "$(id -u)" = 0 ] || leave 'only root can install Citus (sudo make citus CITUS_SRC=...)'
command -v apt-get >/dev/null || leave 'this is not Debian: there is no apt-get'
"$here/build.sh" "$1" || exit 1

bin=$(find /usr/lib/postgresql/*/lib/citus.so | sort -V | tail -1)
bin=${bin%/lib/citus.so}/bin
work=$(mktemp -d /tmp/tradepost-citus.XXXXXX)
chown postgres "$work"
ports=()
# shellcheck disable=SC2317,SC2329
end() {
	trap '' INT TERM # a second signal must not leave anything behind
	for n in 0 1 2; do
		[ ! -e "$work/$n/postmaster.pid" ] || (cd / && su postgres -c "$bin/pg_ctl -D $work/$n -m immediate -w stop") >/dev/null 2>&1
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

port=26400
for n in 0 1 2; do
	while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
	ports+=("$port")
	(cd / && su postgres -c "$bin/initdb -D $work/$n -U postgres -A trust -N -E UTF8 --locale=C.UTF-8" >/dev/null) || exit 1
	cat >> "$work/$n/postgresql.conf" <<-CONF
		listen_addresses = '127.0.0.1'
		port = $port
		unix_socket_directories = ''
		shared_preload_libraries = 'citus'
		wal_level = logical
		max_prepared_transactions = 200
		max_connections = 500
		max_worker_processes = 200
		fsync = off
		synchronous_commit = off
		full_page_writes = off
		search_path = 'market, public'
		citus.enable_unsafe_triggers = on
		citus.node_conninfo = 'sslmode=disable'
	CONF
	(cd / && su postgres -c "$bin/pg_ctl -D $work/$n -l $work/$n.log -w start" >/dev/null) || { tail "$work/$n.log"; exit 1; }
	port=$((port + 1))
done
# Citus must see values: it refuses some statements when they are planned for any.
address() { echo "postgres://postgres@127.0.0.1:${ports[$1]}/postgres?plan_cache_mode=force_custom_plan"; }
export TEST_DATABASE_URL
TEST_DATABASE_URL=$(address 0)
workers="$(address 1),$(address 2)"

# Both lists have a test and its reason in each line: those that are not run, and those that Citus does not let pass.
listed() { grep -v '^#' "$here/$1" | cut -f1 | sort; }
reasons() { grep -v '^#' "$here/$1" | sed 's/\t/: /; s/^/- /'; }
results() { sed -nE "s/^--- $1: ([A-Za-z0-9_]+) .*/\1/p" "$work/tests" | sort; }
bullets() { sed 's/^/- /'; }

echo 'Running the migrations'
TEST_CITUS_WORKERS=$workers go test -count 1 -v -run TestEveryMigrationRunsInADistributedSchema ./sql/pgtest > "$work/migrations" 2>&1
migrated=$?
[ $migrated = 0 ] || tail -30 "$work/migrations"

echo "Running the store's tests"
go test -list '^Test' ./sql/postgres/... | grep '^Test' | sort > "$work/all"
run() { TEST_CITUS_WORKERS=$workers go test -count 1 -v -parallel 4 -timeout 40m -skip "^($(listed left_out.txt | paste -sd'|'))$" "$@"; }
{
	run ./sql/postgres -histories 200
	run $(go list ./sql/postgres/... | grep /postgres/)
} > "$work/tests" 2>&1
results PASS > "$work/passed"
results FAIL > "$work/failed"
results SKIP > "$work/skipped"
comm -23 "$work/failed" <(listed citus_does_not.txt) > "$work/wrong"
comm -13 "$work/failed" <(listed citus_does_not.txt) > "$work/untrue"
comm -13 "$work/all" <(sort <(listed left_out.txt) <(listed citus_does_not.txt)) > "$work/unknown"
comm -23 "$work/all" <(sort "$work/passed" "$work/failed" "$work/skipped" <(listed left_out.txt)) > "$work/unfinished"

echo 'Measuring'
measure() { go test -run '^$' -bench 'BenchmarkPost$|BenchmarkPageOfOrders|BenchmarkAccept/orders=64/keyed=false' -benchtime 2s ./sql/postgres; }
TEST_DATABASE_URL=${TEST_DATABASE_URL%\?*} measure > "$work/plain" 2>&1
TEST_CITUS_WORKERS=$workers measure > "$work/distributed" 2>&1

echo
echo '| | |'
echo '|:--|:--|'
echo "| migrations | $(grep -oE '[0-9]+ migrations of the market.*' "$work/migrations" || echo FAILED) |"
echo "| tests of the store that passed | $(wc -l < "$work/passed") |"
echo "| tests that failed, listed as what Citus does not | $(($(wc -l < "$work/failed") - $(wc -l < "$work/wrong"))) |"
echo "| tests that failed otherwise | $(wc -l < "$work/wrong") |"
echo "| tests left out, as they are about plain PostgreSQL | $(listed left_out.txt | wc -l) |"
echo "| tests that skipped themselves | $(wc -l < "$work/skipped") |"
nanoseconds() { awk -v name="$1" '$1 ~ name { print $3 }' "$2"; }
for row in '^BenchmarkPost(-|$):posting' 'BenchmarkPageOfOrders:reading a page' 'BenchmarkAccept/:accepting, 8 at once'; do
	plain=$(nanoseconds "${row%%:*}" "$work/plain") distributed=$(nanoseconds "${row%%:*}" "$work/distributed")
	echo "| ${row#*:}, against plain PostgreSQL | $(awk -v a="$plain" -v b="$distributed" 'BEGIN {
		if (a > 0 && b > 0) printf "%.2f ms in place of %.2f ms: %.1f times", b / 1e6, a / 1e6, b / a; else print "not measured" }') |"
done
printf '\nLeft out:\n%s\n' "$(reasons left_out.txt)"
printf '\nCitus does not:\n%s\n' "$(reasons citus_does_not.txt)"
if [ -s "$work/wrong" ] || [ -s "$work/unfinished" ]; then
	printf '\nFailed:\n%s\n\n' "$(bullets < "$work/wrong")"
	grep -vE '^(===| *--- (PASS|SKIP)| .*: (no row|\[rapid\] OK))' "$work/tests" | head -300
fi
[ ! -s "$work/untrue" ] || printf '\nListed as what Citus does not, and did not fail:\n%s\n' "$(bullets < "$work/untrue")"
[ ! -s "$work/unknown" ] || printf '\nListed, but there is no such test:\n%s\n' "$(bullets < "$work/unknown")"
[ ! -s "$work/unfinished" ] || printf '\nDid not come to an end:\n%s\n' "$(bullets < "$work/unfinished")"
[ $migrated = 0 ] && [ -s "$work/all" ] && [ ! -s "$work/wrong" ] && [ ! -s "$work/untrue" ] && [ ! -s "$work/unknown" ] && [ ! -s "$work/unfinished" ]
