#!/usr/bin/env bash
# Fails when a generated file is stale, a document names a test that does not exist, a picture is not shown, a file contains a
# word that has a plainer one, or a decision has no status, no date or another's number.
set -euo pipefail
cd "$(dirname "$0")/.."
stale=0
complain() { echo "verify: $*" >&2; stale=1; }

echo '==> sqlc'
go run ./sql/internal/riverschema | cmp -s - sql/river.sql || complain "sql/river.sql is stale: make generate"
go tool -modfile=tools/go.mod sqlc diff -f sql/sqlc.yaml || complain "sql/internal/db is stale: make generate"

echo '==> OpenAPI'
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
go run ./cmd/tradepost openapi > "$fresh/openapi.json"
cmp -s "$fresh/openapi.json" dashboard/openapi.json || complain "dashboard/openapi.json is stale: make generate"

# Other people generate clients from it. The page's own is made by openapi-typescript, which the types are checked with.
go tool -modfile=tools/client/go.mod oapi-codegen -generate types,client -package client -o "$fresh/client.go" dashboard/openapi.json &&
	mkdir "$fresh/client" && cp tools/client/go.* "$fresh/client" && mv "$fresh/client.go" "$fresh/client" &&
	go build -C "$fresh/client" ./... || complain 'a Go client of dashboard/openapi.json cannot be generated or built'
(cd dashboard && node scripts/icons.mjs "$fresh/icons.json")
cmp -s "$fresh/icons.json" web/firstlook/icons.gen.json || complain "web/firstlook/icons.gen.json is stale: make generate"
(cd dashboard && node scripts/first-look.mjs "$fresh/orders.json")
cmp -s "$fresh/orders.json" web/firstlook/testdata/orders.gen.json ||
	complain "web/firstlook/testdata/orders.gen.json is stale: make generate"

echo "==> core's rules for the page"
mkdir -p "$fresh/dashboard/src/lib" "$fresh/core/testdata"
go run -C tools/rules . "$fresh"
for file in dashboard/src/lib/rules.gen.ts core/testdata/suspicion.json; do
	cmp -s "$fresh/$file" "$file" || complain "$file is stale: make generate"
done

echo '==> settings'
go run ./cmd/tradepost configuration > "$fresh/configuration.md"
cmp -s "$fresh/configuration.md" docs/configuration.md || complain "docs/configuration.md is stale: make generate"

echo "==> the guide's tables"
go run ./cmd/capacity -guide docs/scaling.md -check || complain "docs/scaling.md is stale: make generate"

echo '==> sentences of the specification and their tests'
(cd tools/coverage && go build -o "$fresh/coverage" .)
"$fresh/coverage" > "$fresh/coverage.md" && cmp -s "$fresh/coverage.md" docs/spec-coverage.md ||
	complain "docs/spec-coverage.md is stale: make generate"

echo '==> decisions by subject'
scripts/decisions.sh > "$fresh/decisions.md" && cmp -s "$fresh/decisions.md" docs/decisions/README.md ||
	complain "docs/decisions/README.md is stale or misses a decision: make generate"

echo '==> who publishes it'
scripts/publisher.sh check || complain 'a place names another publisher than deploy/publisher.env: make generate'

echo '==> texts'
go run ./core/text/keygen -check -dir core/text || complain "core/text has mistakes, or keys.go is stale: make generate"

echo '==> Dockerfile and compose.yaml'
(cd tools/deploy && go build -o "$fresh/deploy" .) && "$fresh/deploy" || complain "what the market is deployed with is not as it should be"

echo '==> the architecture'
(cd tools/architecture && go test ./... && go build -o "$fresh/architecture" .) && "$fresh/architecture" ||
	complain 'the drawing differs from the imports, or a figure is above its limit (tools/architecture/limits.json)'

echo '==> go.mod of each module'
for module in $(scripts/modules.sh all); do
	(cd "$module" && go mod tidy -diff >/dev/null 2>&1) || complain "go.mod or go.sum of $module is untidy: (cd $module && go mod tidy)"
done

echo '==> dead code'
scripts/deadcode.sh || complain 'nothing reaches these functions: delete them'

echo '==> tests named in documents'
for page in docs/*.md; do
	while read -r name; do
		grep -rqE "func $name\(" --include='*_test.go' . || complain "$page names $name, which no test file holds"
	done < <(grep -oE '\b(Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]+' "$page" | sort -u)
	# What is broken on purpose by make faults has titles, too.
	while read -r title; do
		grep -rqF -e "\"$title\"" --include='fault_*.go' tools/lab/faults || complain "$page names the scene \"$title\", which make faults does not play"
	done < <(grep -oE '\bscene: "[^"]+"' "$page" | cut -d '"' -f 2 | sort -u)
	# Tests of the dashboard and journeys through a browser have titles.
	while read -r title; do
		grep -rqF -e "'$title'" -e "\"$title\"" -e "\`$title\`" --include='*.test.ts' --include='*.test.tsx' --include='*.spec.ts' \
			dashboard/src dashboard/e2e/journeys || complain "$page names the test \"$title\", which the dashboard does not have"
	done < <(grep -oE '\b(dashboard|journey): "[^"]+"' "$page" | cut -d '"' -f 2 | sort -u)
done

echo '==> pictures'
pictures=$(git ls-files '*.png' '*.webp' '*.jpg' | grep -v -e '^dashboard/public/' -e '^bot/emojis/' || true)
[ "$(wc -l <<<"$pictures")" -le 20 ] || complain 'more than 20 pictures are in the repository; the full set is a CI artifact'
[ "$(xargs -r du -cb <<<"$pictures" | tail -1 | cut -f1)" -le $((3 << 20)) ] || complain 'the pictures in the repository are larger than 3 MB together'
while read -r picture; do
	grep -rqF --include='*.md' "$(basename "$picture")" README.md docs || complain "no document shows $picture"
done < <(grep '^docs/' <<<"$pictures")

echo '==> words'
# Private or old-fashioned words that have a plain one: the user who, again, fix, shutdown delay, DM sender, also, how it ended, their.
# History keeps its words: released changes and migrations. FAREWELL is the old name of a setting, which is still read.
words='whoever|whomever|anew|mend|mends|mended|mending|farewell|courier|couriers|likewise|became of|of theirs|lastcalls|by and by'
found=$(git grep -nIiwE "$words" -- . ':!CHANGELOG.md' ':!sql/migrations' ':!scripts/verify.sh' ':!*package-lock.json' |
	grep -vE 'FAREWELL|aliases:"farewell"' || true)
[ -z "$found" ] || complain "plain words say the same (see scripts/verify.sh):"$'\n'"$found"

echo '==> decisions and migrations'
for decision in docs/decisions/0*.md; do
	grep -q '^\*\*Status:\*\* ' "$decision" && grep -q '^\*\*Date:\*\* 20' "$decision" || complain "$decision has no status or no date"
done
twice=$(ls docs/decisions | cut -d - -f 1 | sort | uniq -d)
[ -z "$twice" ] || complain "docs/decisions has $twice twice"
twice=$(ls sql/migrations | cut -d _ -f 1 | sort | uniq -d)
[ -z "$twice" ] || complain "sql/migrations has $twice twice"

[ $stale = 0 ] && echo 'verify: everything is fresh'
exit $stale
