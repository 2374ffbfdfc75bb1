#!/usr/bin/env bash
# Runs the Go tests of every module: test-go.sh TIMEOUT. With RACE=1, the packages that start goroutines or lock are tested with the race
# detector, and through both adapters what the names of tests say happens at once: nearly all time of the others is the database's.
#   test-go.sh race TIMEOUT   the packages that share memory, every test with the race detector
#   test-go.sh faults TIMEOUT each fault once, by themselves
#   test-go.sh list           prints the folder of each package that is tested, and tests nothing
set -euo pipefail
cd "$(dirname "$0")/.."
what=all race=()
case ${1:-} in race | list | faults) what=$1; shift ;; esac
timeout=${1:-20m}
if [ "$what" = race ] || [ -n "${RACE:-}" ]; then race=(-race) && export CGO_ENABLED=1; fi

# The packages whose tests take longest start first. They and the others of shared have goroutines that share memory.
# Tests mostly wait for jobs and for Discord, so eight of a package run at a time.
longest=(./sql/postgres ./bot ./sql/postgres/match ./sql/postgres/trade ./cmd/tradepost ./web)
locking=(./core/cache ./bot/discord ./bot/kernel ./bot/notices ./web/kernel ./web/serving ./web/pages
	./sql/changefeed ./sql/gatewaylock ./sql/pgconnect ./sql/queue ./sql/replicas ./cmd/tradepost/serving) # they start goroutines or lock
at_once='AtOnce|Concurren|Replicas|Together|Beside|While|During|Restart|Two[A-Z]|Several|Many[A-Z]|Same|Connection|Shared|Killed|Stream|Cache|Live'
by_itself='^TestEveryNoticeSurvivesEveryFault$' # it needs a machine that keeps up
shared=(./core/... ./bot/... ./web/... ./sql/... ./cmd/tradepost/...)

# run tests packages of a module, and goes on where a test fails: run FLAG ... -- MODULE PACKAGE ... The linters vet them.
run() {
	local flags=()
	while [ "$1" != -- ]; do flags+=("$1"); shift; done
	local module=$2
	shift 2
	if [ "$what" = list ]; then go list -C "$module" -f '{{.Dir}}' "$@"; else go test -C "$module" -vet=off "${flags[@]}" -timeout "$timeout" "$@" || failed=1; fi
}
failed=0
trap 'exit $((failed | $?))' EXIT

if [ "$what" = faults ]; then
	export CGO_ENABLED=0
	run -count=1 -run "$by_itself" -- tools/lab ./faults
	exit 0
fi
export GOGC=${GOGC:-400} # with more room for garbage the compiler and the tests need a fifth less of the processor
if [ "$what" = race ] || [ -z "${race[*]}" ]; then
	run "${race[@]}" -p 2 -parallel 8 -- . "${longest[@]}" "${shared[@]}"
	[ "$what" != race ] || exit 0
else
	# shellcheck disable=SC2046 # a package has no space in its name
	CGO_ENABLED=0 run -p 2 -parallel 8 -- . "${longest[@]}" $(go list "${shared[@]}" | grep -vxF "$(go list "${longest[@]}" "${locking[@]}")")
	run -race -p 2 -parallel 4 -- . "${locking[@]}"
	run -race -p 2 -parallel 4 -run "$at_once" -- . ./bot ./web
fi
export CGO_ENABLED=0
# shellcheck disable=SC2046 # a package has no space in its name
run -p 3 -- . $(go list ./... | grep -vxF "$(go list "${shared[@]}")")
modules=$(scripts/modules.sh)
# Go remembers which files of its module a test has read: those of the tools also read files of the product, so they always run.
for module in $modules; do
	case $module in
	.) ;;
	tools/lab) run -p 3 -count=1 -skip "$by_itself" -- "$module" ./... ;;
	*) run -count=1 -- "$module" ./... ;;
	esac
done
