#!/bin/sh
# Prints the path of a Chromium for the browser tests, and gets Debian's when there is none: installed as root, or
# unpacked into the user's cache folder by anybody else. The headless shell comes first: it is the same engine without a
# browser's windows, and opens a page with a third of the processor's time.
set -eu
say() { echo "$@" >&2; }
found() {
	for c in "$@"; do
		if [ -n "$c" ] && command -v "$c"; then exit 0; fi
	done
}

found "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome
command -v apt-get >/dev/null || { say "No Chromium found: install it, or set CHROMIUM to its path."; exit 1; }

if [ "$(id -u)" = 0 ]; then
	say "Installing Debian's Chromium ..."
	apt-get update -qq >&2
	package=$(apt-cache pkgnames chromium-headless-shell | head -1)
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${package:-chromium}" >&2
	command -v "${package:-chromium}"
	exit 0
fi

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
