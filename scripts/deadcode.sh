#!/usr/bin/env bash
# Prints functions that nothing reaches, and fails when there is one: in any module, functions that neither a command nor a test reaches;
# in the product, functions that only tests reach. Packages that serve tests (leftOut in tools/architecture/limits.json) are not the
# product's.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
go build -modfile=tools/lint/go.mod -o "$work/deadcode" golang.org/x/tools/cmd/deadcode
# The laboratory uses the product, too: a workspace has both.
users=$(for module in $(scripts/modules.sh); do ! grep -q '^replace tradepost => ' "$module/go.mod" || echo "./$module"; done)
export GOWORK=$work/go.work
# shellcheck disable=SC2086 # a folder of a module has no space in its name
(cd "$work" && go work init "$root" $(printf "$root/%s\n" $users))
packages=(./...)
for module in $users; do packages+=("$module/..."); done
left_out=$(node -e 'console.log(require("./tools/architecture/limits.json").leftOut.concat("tools").join("|"))')

found=$("$work/deadcode" -test -filter '^tradepost/' "${packages[@]}")
found+=$'\n'$("$work/deadcode" -filter '^tradepost/' "${packages[@]}" | grep -vE "^($left_out)/" || true)
unset GOWORK
for module in $(scripts/modules.sh); do
	case $'\n.\n'$users$'\n' in *$'\n'"$module"$'\n'* | *$'\n'"./$module"$'\n'*) continue ;; esac
	found+=$'\n'$(cd "$module" && "$work/deadcode" -test ./... | sed "s|^|$module/|")
done
found=$(grep . <<<"$found" | sort -u || true)
[ -z "$found" ] || { echo "$found"; exit 1; }
