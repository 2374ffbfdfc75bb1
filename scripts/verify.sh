#!/usr/bin/env bash
# Fails when a generated file is stale, when a document names a test that does not exist, or when two decisions share a number.
set -euo pipefail
cd "$(dirname "$0")/.."
stale=0
complain() { echo "verify: $*" >&2; stale=1; }

echo '==> sqlc'
go tool -modfile=tools/go.mod sqlc diff -f sql/sqlc.yaml || complain "sql/postgres/internal/db is stale: make generate"

echo '==> OpenAPI and its client'
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
go run ./cmd/tradepost openapi > "$fresh/openapi.json"
cmp -s "$fresh/openapi.json" dashboard/openapi.json || complain "dashboard/openapi.json is stale: make generate"
(cd dashboard && npx openapi-typescript openapi.json -o "$fresh/api.gen.ts" >/dev/null)
cmp -s "$fresh/api.gen.ts" dashboard/src/api/api.gen.ts || complain "dashboard/src/api/api.gen.ts is stale: make generate"

echo '==> settings'
go run ./cmd/tradepost configuration > "$fresh/configuration.md"
cmp -s "$fresh/configuration.md" docs/configuration.md || complain "docs/configuration.md is stale: make generate"

echo '==> Dockerfile and compose.yaml'
(cd tools/deploy && go build -o "$fresh/deploy" .) && "$fresh/deploy" || complain "what the market is deployed with is not as it should be"

echo '==> go.mod'
go mod tidy -diff >/dev/null || complain "go.mod is untidy: go mod tidy"

echo '==> tests named in documents'
for page in docs/*.md; do
	while read -r name; do
		grep -rqE "func $name\(" --include='*_test.go' . || complain "$page names $name, which no test file holds"
	done < <(grep -oE '\b(Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]+' "$page" | sort -u)
	# What is broken on purpose by make faults has titles, too.
	while read -r title; do
		grep -rqF -e "\"$title\"" --include='fault_*.go' cmd/faults || complain "$page names the scene \"$title\", which make faults does not play"
	done < <(grep -oE '\bscene: "[^"]+"' "$page" | cut -d '"' -f 2 | sort -u)
	# Tests of the dashboard and journeys through a browser have titles.
	while read -r title; do
		grep -rqF -e "'$title'" -e "\"$title\"" -e "\`$title\`" --include='*.test.ts' --include='*.test.tsx' --include='*.spec.ts' \
			dashboard/src dashboard/e2e/journeys || complain "$page names the test \"$title\", which the dashboard does not have"
	done < <(grep -oE '\b(dashboard|journey): "[^"]+"' "$page" | cut -d '"' -f 2 | sort -u)
done

echo '==> numbers of decisions'
twice=$(ls docs/decisions | cut -d - -f 1 | sort | uniq -d)
[ -z "$twice" ] || complain "docs/decisions has $twice twice"

[ $stale = 0 ] && echo 'verify: everything is fresh'
exit $stale
