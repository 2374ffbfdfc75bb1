#!/usr/bin/env bash
# What make install-test does inside the machine, as root: inside.sh STEP [ARGUMENT]...
set -euo pipefail

site=https://trade.example

fail() { echo "$*" >&2; exit 1; }

# eventually retries a command for a minute.
eventually() {
	for _ in $(seq 240); do "$@" >/dev/null 2>&1 && return; sleep 0.25; done
	"$@" || fail "not within a minute: $*"
}

works() { curl -sf -o /dev/null "$site/readyz" && curl -sf "$site/api/orders" | grep -q '"total"'; }

# sign_in makes a session of one of the stand-in's players.
sign_in() {
	consent=$(curl -s -c "$1" -b "$1" -L -o /dev/null -w '%{url_effective}' "$site/auth/discord")
	curl -s -c "$1" -b "$1" -L -o /dev/null -d "player=$2" "$consent"
	curl -sf -b "$1" "$site/api/me" | grep -q '"username"' || fail "player $2 could not sign in"
}

number() { grep -o "\"id\":[0-9]*" | head -1 | cut -d : -f 2; }

# trade posts a request for an item, has a visitor offer, and accepts a part.
trade() {
	local item=$1 jar order offer
	jar=$(mktemp)
	sign_in "$jar" 301774590265327617
	order=$(curl -sf -b "$jar" -H 'Content-Type: application/json' "$site/api/orders" -d "{\"itemName\":\"$item\",\"quantity\":10,\"maxPricePerUnit\":15000,\"description\":\"Any\",\"buyerContact\":\"rowan\",\"category\":\"Miner\",\"importance\":\"medium\"}" | number)
	offer=$(curl -sf -H 'Content-Type: application/json' "$site/api/orders/$order/offers" -d '{"sellerName":"Fern","sellerContact":"fern","message":"I have it","quantityOffered":4}' | number)
	curl -sf -b "$jar" -H 'Content-Type: application/json' "$site/api/offers/$offer/accept" -d '{"quantity":3}' -o /dev/null || fail "the offer was not accepted"
	has "$item"
}

# has wants a request for an item to be on the board, with what was sold of it.
has() {
	curl -sf "$site/api/orders?q=${1// /%20}" | grep -q "\"itemName\":\"$1\".*\"sold\":3" || fail "the board has no $1, or not what was sold"
}

active() { eventually systemctl is-active --quiet "$@"; }

# program puts another program in the place of the one that is installed.
program() {
	systemctl stop tradepost
	install -m 755 "$1" /usr/local/bin/tradepost
	systemctl start tradepost
}

"$@"
