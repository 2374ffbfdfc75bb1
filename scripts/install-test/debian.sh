#!/usr/bin/env bash
# Makes an empty Debian with systemd in FOLDER, and fetches the packages that the pages install: debian.sh FOLDER PACKAGE...
set -euo pipefail
root=$1
shift
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
maker=$(command -v mmdebstrap || true)
if [ -z "$maker" ]; then # it is one script: the package is unpacked, and not installed
	(cd "$tools" && apt-get download -qq mmdebstrap 2>/dev/null && dpkg -x mmdebstrap_*.deb .)
	maker=$tools/usr/bin/mmdebstrap
fi
chmod 755 "$tools"
"$maker" --quiet --variant=apt --format=tar --include=ca-certificates,sudo,openssl,procps,iproute2,systemd,systemd-sysv,dbus \
	bookworm "$root.tar" http://deb.debian.org/debian
mkdir -p "$root"
tar -C "$root" -xf "$root.tar"
rm "$root.tar"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo 'deb http://deb.debian.org/debian-security bookworm-security main' >> "$root/etc/apt/sources.list"
# There is no terminal, and no kernel of its own to set anything in.
for unit in getty@.service serial-getty@.service console-getty.service systemd-sysctl.service systemd-modules-load.service; do
	ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c 'apt-get update -qq && apt-get install -qq -y --download-only "$@"' sh "$@" > /dev/null
chroot "$root" useradd --create-home --shell /bin/bash admin
echo 'admin ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/admin"
echo trade > "$root/etc/hostname"
echo '127.0.0.1 localhost trade trade.example' > "$root/etc/hosts"
mkdir -p "$root/srv/release"
