#!/usr/bin/env bash
# Builds Citus from its source archive for the newest PostgreSQL of Debian's that is installed, and installs the extension there.
# Does nothing where it is installed already. As root, who installs with apt what building needs.
# citus/build.sh ARCHIVE
set -euo pipefail
archive=$(realpath "$1")
packages=(libcurl4-openssl-dev liblz4-dev libzstd-dev libssl-dev libkrb5-dev libxml2-dev libxslt1-dev libselinux1-dev libpam0g-dev
	libedit-dev zlib1g-dev gcc make flex xz-utils)

pg=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -name '[0-9]*' -exec test -x '{}/bin/postgres' \; -print 2>/dev/null | sort -V | tail -1)
if [ -z "$pg" ]; then
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null
	pg=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -name '[0-9]*' | sort -V | tail -1)
fi
[ ! -e "$pg/lib/citus.so" ] || { echo "Citus is installed in $pg"; exit 0; }
packages+=("postgresql-server-dev-$(basename "$pg")")
missing=()
for package in "${packages[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	echo "Installing ${missing[*]}"
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xf "$archive" -C "$work" --strip-components=1
cd "$work"
[ -x configure ] || { echo "$archive has no source of Citus" >&2; exit 1; }

# PostgreSQL 15.11 and later export a function that Citus defines for 15, which the compiler refuses: leave the definition of Citus out.
compat=src/include/pg_version_compat.h
if grep -q have_createdb_privilege "$("$pg/bin/pg_config" --includedir-server)/commands/dbcommands.h"; then
	awk '
		$0 == "static inline bool" { held = $0; next }
		held != "" {
			if ($0 == "have_createdb_privilege(void)") { print "#include \"commands/dbcommands.h\""; inside = 1; held = ""; next }
			print held; held = ""
		}
		inside { if ($0 == "}") inside = 0; next }
		{ print }' "$compat" > "$compat.new"
	mv "$compat.new" "$compat"
fi

log=$work/build.log
echo "Building Citus for $pg"
if ! { PG_CONFIG=$pg/bin/pg_config ./configure --without-libcurl --quiet && make -s -j"$(nproc)" extension && make -s install-all; } > "$log" 2>&1; then
	tail -20 "$log" >&2
	exit 1
fi
echo "Citus is installed in $pg"
