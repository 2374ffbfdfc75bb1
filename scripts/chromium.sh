#!/bin/sh
# Prints the path of a Chromium for the browser tests, and gets Debian's: installed as root, or unpacked into the user's
# cache folder by anybody else who has none. The headless shell, the same engine without a browser's windows, comes first:
# it opens a page with a third of the processor's time.
set -eu
say() { echo "$@" >&2; }
found() {
	for c in "$@"; do
		if [ -n "$c" ] && command -v "$c"; then exit 0; fi
	done
}

found "${CHROMIUM:-}" chromium-headless-shell
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	say "Installing Debian's Chromium ..."
	apt-get update -qq >&2 || true # what is there may be enough
	for package in chromium-headless-shell chromium; do
		found "$package"
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package >&2 || continue
		found "$package"
	done
fi
found chromium chromium-browser google-chrome
command -v apt-get >/dev/null || { say "No Chromium found: install it, or set CHROMIUM to its path."; exit 1; }

home=${XDG_CACHE_HOME:-$HOME/.cache}/tradepost/chromium
if [ ! -x "$home/chromium" ]; then
	say "Unpacking Debian's Chromium into $home ..."
	mkdir -p "$home/lists/partial" "$home/archives/partial" "$home/debs" "$home/root"
	apt="-o Dir::State::Lists=$home/lists -o Dir::Cache=$home -o Debug::NoLocking=1 -o APT::Sandbox::User="
	# shellcheck disable=SC2086 # $apt holds several words
	apt-get $apt update -qq >&2
	# shellcheck disable=SC2086
	package=$(apt-cache $apt pkgnames chromium-headless-shell | head -1)
	# shellcheck disable=SC2086
	packages=$(apt-get $apt install -s --no-install-recommends "${package:=chromium}" | awk '/^Inst /{print $2}')
	# shellcheck disable=SC2086
	(cd "$home/debs" && apt-get $apt download -qq $packages >&2)
	for deb in "$home"/debs/*.deb; do dpkg -x "$deb" "$home/root"; done
	libs=$(find "$home/root/lib" "$home/root/usr/lib" -maxdepth 1 -type d 2>/dev/null | tr '\n' ':')
	cat > "$home/chromium.new" <<-END
		#!/bin/sh
		LD_LIBRARY_PATH="$libs\${LD_LIBRARY_PATH:-}" exec "$home/root/usr/lib/chromium/$package" "\$@"
	END
	chmod +x "$home/chromium.new"
	mv "$home/chromium.new" "$home/chromium"
	rm -rf "$home/debs"
fi
echo "$home/chromium"
