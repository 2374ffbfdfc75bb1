#!/usr/bin/env bash
# Installs the market as an operator would, by the commands that the pages of docs/ print, on an empty Debian that boots with its own
# systemd: the package with Caddy and with nginx, and the archive. Then it trades, breaks, restarts, backs up, restores, upgrades, goes back,
# and removes the package. It prints a table of what was found, and of what could
# not be checked here. As root, outside CI. It writes a folder in /var/tmp, which it removes in the end, and the log beside it; with
# WORK it uses that folder, keeps it, and takes from it what an earlier run has built.
# install-test/run.sh [caddy] [nginx] [archive]
set -uo pipefail
cd "$(dirname "$0")/../.."
here=$PWD
ways=("$@")
[ ${#ways[@]} -gt 0 ] || ways=(caddy nginx archive)
# Where the pages fetch a release from, and which of the machine's folders stands there.
. deploy/publisher.env
releases=$FORGE/$OWNER/$REPOSITORY/releases
from_here() { sed -E "s#$releases/latest/download#file:///srv/release#; s#$releases/download/v[0-9.]+#file:///srv/before#"; }

# page and service of a way
page() { case $1 in archive) echo docs/host-on-debian-from-an-archive.md ;; *) echo "docs/host-on-debian-with-$1.md" ;; esac; }
service() { case $1 in archive) echo caddy ;; *) echo "$1" ;; esac; }
[ "$(id -u)" = 0 ] || { echo 'install-test: only root can boot a machine: sudo make install-test' >&2; exit 1; }
work=${WORK:-$(mktemp -d /var/tmp/tradepost-install-test.XXXXXX)}
mkdir -p "$work"
log=$work/log
: > "$log"
arch=$(go env GOARCH)
machine='' # the process that is the first one of the machine
cgroup=''
failed=0
results=()

# note adds a row to the table: note RESULT WAY CHECK [REASON]
note() {
	results+=("$1|$2|$3|${4:-}")
	printf '  %-12s %-7s %s%s\n' "$1" "$2" "$3" "${4:+: $4}"
	[ "$1" != FAILED ] || failed=1
}

# check runs a command, and notes whether it succeeded: check WAY TITLE COMMAND...
check() {
	local way=$1 title=$2 from
	shift 2
	from=$(wc -c < "$log")
	echo "### $way: $title: $*" >> "$log"
	if "$@" >> "$log" 2>&1; then note ok "$way" "$title"; return 0; fi
	note FAILED "$way" "$title" "$(tail -c +"$((from + 1))" "$log" | grep -v '^###' | tail -1 | cut -c 1-300)"
	return 1
}

# in_machine runs a command inside the machine, as root.
in_machine() {
	nsenter -t "$machine" --mount --pid --net --uts --ipc --cgroup -- \
		env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
inside() { in_machine /srv/inside.sh "$@"; }

start_machine() { # ROOT
	local base=/sys/fs/cgroup
	[ ! -d $base/unified ] || base=$base/unified
	cgroup=$base/tradepost-install-test.$$
	mkdir -p "$cgroup"
	bash -c 'echo $$ > "$1/cgroup.procs"; exec unshare --mount --pid --fork --net --uts --ipc --cgroup "$2" "$3"' \
		boot "$cgroup" "$here/scripts/install-test/boot.sh" "$1" >> "$log" 2>&1 &
	local shell=$!
	for _ in $(seq 120); do
		machine=$(pgrep -P "$shell" || true)
		[ -z "$machine" ] || ! in_machine systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' || return 0
		sleep 0.25
	done
	echo 'the machine does not boot' >&2
	return 1
}

# stop_machine takes the power away.
stop_machine() {
	[ -z "$machine" ] || kill -9 "$machine" 2>/dev/null
	for _ in $(seq 100); do [ -n "$machine" ] && kill -0 "$machine" 2>/dev/null || break; sleep 0.1; done
	machine=''
	for _ in $(seq 20); do [ ! -d "$cgroup" ] || find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done
}

finish() {
	stop_machine
	[ -n "${WORK:-}" ] || { cp "$log" /var/tmp/tradepost-install-test.log; rm -rf "$work"; }
}
trap finish EXIT

build() {
	[ ! -e "$work/run/release/SHA256SUMS" ] || return 0 # WORK has it already
	scripts/release.sh "$work/run/release" v99.0.1 "linux/$arch" &&
		CGO_ENABLED=0 go build -C tools/lab -trimpath -o "$work/run/standin" ./standin && build_before
}

# build_before makes the package that an upgrade begins with and that going back leads to: that of the last release. Until a release has a
# package, it is today's with a lower number, which plays what apt does.
build_before() {
	local from=$work/run/source commit
	commit=$(grep -v '^#' deploy/upgrade-from)
	mkdir -p "$work/run/before"
	if git cat-file -e "$commit:tools/release/nfpm.yaml" 2>/dev/null; then
		git clone -q . "$from" && git -C "$from" checkout -q "$commit" && make -C "$from" release VERSION=v99.0.0 SYSTEMS="linux/$arch" &&
			cp "$from/release/tradepost_$arch.deb" "$work/run/before/" && rm -rf "$from"
	else
		dpkg-deb --raw-extract "$work/run/release/tradepost_$arch.deb" "$from" && sed -i 's/^Version: .*/Version: 99.0.0/' "$from/DEBIAN/control" &&
			dpkg-deb --root-owner-group -Zgzip --build "$from" "$work/run/before/tradepost_$arch.deb" && rm -rf "$from"
	fi
	(cd "$work/run/before" && sha256sum tradepost_* > SHA256SUMS)
}

# build_old builds the program that an upgrade of an archive begins with. Its page is today's: only the program matters here.
build_old() {
	local from=$work/run/old
	[ ! -e "$work/run/tradepost-old" ] || return 0
	mkdir -p "$from"
	git archive "$(grep -v '^#' deploy/upgrade-from)" | tar -x -C "$from" &&
		mkdir -p "$from/dashboard/dist" && cp -r dashboard/dist/. "$from/dashboard/dist/" &&
		(cd "$from" && CGO_ENABLED=0 go build -trimpath -o "$work/run/tradepost-old" ./cmd/tradepost)
}

# settle makes a certificate authority that the machine trusts, and what stands in for the outside: the release's address and Discord.
settle() { # ROOT WAY
	local root=$1 tls=$1/srv/tls
	mkdir -p "$root/srv/newest" "$root/srv/before"
	cp "$work"/run/release/* "$root/srv/newest/"
	cp "$work"/run/before/* "$root/srv/before/"
	# What is the latest release: for the package, at first the one before.
	if [ "$2" = archive ]; then cp "$root"/srv/newest/* "$root/srv/release/"; else cp "$root"/srv/before/* "$root/srv/release/"; fi
	install -m 755 "$work/run/standin" "$root/usr/local/bin/standin"
	[ ! -e "$work/run/tradepost-old" ] || install -m 755 "$work/run/tradepost-old" "$root/srv/tradepost-old"
	install -m 755 scripts/install-test/inside.sh "$root/srv/inside.sh"
	cat > "$root/etc/systemd/system/standin.service" <<-'UNIT'
		[Service]
		ExecStart=/usr/local/bin/standin -redirect https://trade.example/auth/discord/callback -state /var/lib/standin.json
		StandardOutput=truncate:/run/standin
		[Install]
		WantedBy=multi-user.target
	UNIT
	mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
	ln -sf ../standin.service "$root/etc/systemd/system/multi-user.target.wants/standin.service"
	mkdir -p "$tls" "$root/etc/letsencrypt/live/trade.example"
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=install-test' -keyout "$tls/ca.key" -out "$tls/ca.crt" &&
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=trade.example' -addext subjectAltName=DNS:trade.example -keyout "$tls/privkey.pem" -out "$tls/csr" &&
		openssl x509 -req -in "$tls/csr" -CA "$tls/ca.crt" -CAkey "$tls/ca.key" -CAcreateserial -days 2 -copy_extensions copy -out "$tls/fullchain.pem" &&
		install -D -m 644 "$tls/ca.crt" "$root/usr/local/share/ca-certificates/install-test.crt" &&
		chroot "$root" update-ca-certificates
}

# own_certificate has Caddy use the certificate of the test, as it gets none of its own here.
own_certificate() {
	echo "printf '{\\n\\tskip_install_trust\\n}\\n' | cat - /etc/caddy/Caddyfile | sed 's|^trade.example {|&\\n\\ttls /srv/tls/fullchain.pem /srv/tls/privkey.pem|' > /tmp/Caddyfile && sudo cp /tmp/Caddyfile /etc/caddy/Caddyfile && sudo chmod 644 /srv/tls/privkey.pem"
	echo 'sudo systemctl reload-or-restart caddy'
}

# follow writes the page's commands into one script, as somebody would type them into one terminal, with what the page leaves to its
# reader, and what cannot be had here, before the block that it concerns.
follow() { # ROOT WAY
	local script=$1/srv/page.sh
	{
		echo 'set -e'
		echo 'cd'
		scripts/install-test/blocks.sh "$(page "$2")" | from_here |
			while IFS= read -r line; do
				case $line in
				'# block '*) printf 'echo "### %s" >&2\n' "${line#\# }" ;;
				'sudo certbot '*) echo "sudo cp /srv/tls/fullchain.pem /srv/tls/privkey.pem /etc/letsencrypt/live/trade.example/" ;;
				'sudo -iu tradepost tradepost setup' | 'sudo tradepost setup')
					echo "echo DISCORD_API_URL=http://127.0.0.1:8081 | sudo tee -a /srv/tradepost/.env > /dev/null"
					echo "{ read -r token; read -r secret; } < /run/standin"
					printf '%s\n' "printf '%s\\n' 'Harbour Market' https://trade.example \"\$token\" \"\$secret\" '' '' '' 872031946600157194 later > /tmp/answers"
					echo "$line < /tmp/answers"
					[ "$2" != caddy ] || own_certificate ;;
				'sudo systemctl reload caddy')
					own_certificate
					echo "$line" ;;
				*' tradepost doctor') echo "/srv/inside.sh eventually curl -sf https://trade.example/readyz"; echo "$line" ;;
				*) echo "$line" ;;
				esac
			done
	} > "$script"
	in_machine sudo -iu admin bash /srv/page.sh < /dev/null
}

restart_all() { # SERVICE
	in_machine systemctl restart postgresql tradepost "$1" && inside eventually /srv/inside.sh works && inside has 'Iron Ore'
}

reboot() { # ROOT
	in_machine sync
	stop_machine
	start_machine "$1" && inside eventually /srv/inside.sh works && inside has 'Iron Ore'
}

database_away() {
	in_machine systemctl stop postgresql && sleep 3 && in_machine systemctl is-active tradepost &&
		in_machine systemctl start postgresql && inside eventually /srv/inside.sh works && inside has 'Iron Ore'
}

killed() {
	in_machine systemctl kill --signal=KILL tradepost
	sleep 1
	inside eventually /srv/inside.sh works
}

newest_backup() { in_machine sh -c 'ls -t /srv/tradepost/backups/*.tar.gz* | head -1'; }

back_up() { in_machine systemctl start tradepost-backup.service && newest_backup | grep .; }

verify() { in_machine sudo -iu tradepost tradepost backup verify "$(newest_backup)"; }

restore() {
	local file
	file=$(newest_backup) && inside trade 'Tin Ore' && in_machine systemctl stop tradepost &&
		in_machine sudo -iu tradepost tradepost restore --replace "$file" && in_machine systemctl start tradepost &&
		inside eventually /srv/inside.sh works && inside has 'Iron Ore' && ! inside has 'Tin Ore'
}

# two_roles follows the chapter, and then the market's own role can no longer change the log of moderation.
two_roles() {
	section "$1" 'Two database roles' && inside trade 'Copper Ore' && back_up &&
		in_machine sudo -iu tradepost tradepost doctor | grep "✓ the database's roles" &&
		! in_machine sudo -iu tradepost psql -d tradepost -c 'delete from audit_entries'
}

# start_old begins with an empty market of the old program.
start_old() {
	in_machine systemctl stop tradepost && in_machine sed -i /^DATABASE_OWNER_URL/d /srv/tradepost/.env && in_machine sudo -u postgres dropdb tradepost && in_machine sudo -u postgres createdb --owner tradepost tradepost &&
		inside program /srv/tradepost-old && inside eventually /srv/inside.sh works && inside trade 'Iron Ore'
}

# section follows a section of docs/operations.md, with the archive that it names.
section() { # ROOT HEADING
	{
		echo 'set -e'
		echo 'cd'
		scripts/install-test/blocks.sh docs/operations.md "$2" | from_here
	} > "$1/srv/section.sh"
	grep -q sudo "$1/srv/section.sh" || { echo "docs/operations.md has no commands under $2"; return 1; }
	in_machine sudo -iu admin bash /srv/section.sh < /dev/null && inside eventually /srv/inside.sh works && inside has 'Iron Ore'
}

# without_postgresql installs the package where PostgreSQL does not run: that works, and names the steps that are left. Then all of it is removed.
without_postgresql() {
	local said
	in_machine sh -c 'apt-get install -qq -y postgresql && systemctl stop postgresql' &&
		said=$(in_machine apt-get install -qq -y "/srv/before/tradepost_$arch.deb" < /dev/null 2>&1) && echo "$said" &&
		grep -q 'The market has no database yet' <<<"$said" && grep -q 'sudo tradepost setup' <<<"$said" &&
		in_machine sh -c 'apt-get purge -qq -y tradepost && userdel tradepost && rm -r /srv/tradepost && systemctl start postgresql'
}

# upgrade_package upgrades by the page. The backup is there, and what changed is said.
upgrade_package() {
	in_machine sh -c 'cp /srv/newest/* /srv/release/' &&
		section "$1" 'Upgrade the package' && inside trade 'Coal' && in_machine sh -c 'ls /srv/tradepost/before-upgrade/*' &&
		[ "$(in_machine dpkg-query --showformat '${Version}' --show tradepost)" = 99.0.1 ]
}

go_back_by_package() {
	section "$1" 'Go back by the package' && inside has 'Coal' && inside trade 'Silver Ore' &&
		[ "$(in_machine dpkg-query --showformat '${Version}' --show tradepost)" = 99.0.0 ]
}

# removed takes the package off, which keeps all data, and puts it there again.
removed() {
	local said
	in_machine apt-get remove -qq -y tradepost && ! in_machine systemctl is-active tradepost && ! in_machine test -e /usr/bin/tradepost &&
		said=$(in_machine apt-get purge -qq -y tradepost 2>&1) && echo "$said" && grep -q 'sudo -u postgres dropdb tradepost' <<<"$said" &&
		in_machine test -e /srv/tradepost/.env && in_machine apt-get install -qq -y "/srv/newest/tradepost_$arch.deb" &&
		inside eventually /srv/inside.sh works && inside has 'Iron Ore' && in_machine systemctl is-active tradepost-backup.timer
}

upgrade() { section "$1" 'Upgrade an archive' && inside trade 'Coal'; }

go_back() {
	in_machine sh -c 'mkdir -p /home/admin/before/99990101-000000 && cp /srv/tradepost-old /home/admin/before/99990101-000000/tradepost' &&
		section "$1" 'Go back by an archive' && inside trade 'Silver Ore'
}

walk() { # WAY
	local way=$1 root=$work/run/$1 service page
	service=$(service "$way") page=$(page "$way")
	cp -a "$work/run/debian" "$root"
	check "$way" 'the machine has what stands in for the outside' settle "$root" "$way" || return
	check "$way" 'the machine boots' start_machine "$root" || return
	[ "$way" != caddy ] || check "$way" 'the package where PostgreSQL does not run, and its removal' without_postgresql || return
	check "$way" "$page, word by word" follow "$root" "$way" || { in_machine journalctl -u tradepost -u "$service" --no-pager -n 40 >> "$log" 2>&1; return; }
	if [ "$way" = nginx ]; then note 'not checked' "$way" 'certbot gets a certificate' 'there is no public address; one of the test stands in its place'
	else note 'not checked' "$way" 'Caddy gets a certificate by itself' 'there is no public address; one of the test stands in its place'; fi
	check "$way" 'HTTPS, and HTTP leads there' in_machine sh -c 'curl -sf https://trade.example/healthz && test "$(curl -s -o /dev/null -w "%{redirect_url}" http://trade.example/x)" = https://trade.example/x'
	check "$way" 'a trade by page and API' inside trade 'Iron Ore'
	check "$way" 'all services are restarted' restart_all "$service"
	check "$way" 'the power goes, and comes back' reboot "$root"
	check "$way" 'the database is away for a while' database_away
	check "$way" 'the program is killed' killed
	check "$way" 'the timer of the backups waits' in_machine systemctl is-active tradepost-backup.timer
	check "$way" 'a backup by its service' back_up
	if in_machine tradepost backup verify --help 2> /dev/null | grep scratch > /dev/null; then check "$way" 'the backup is verified' verify
	else note 'not checked' "$way" 'the backup is verified' 'this program has no "backup verify"'; fi
	check "$way" 'the backup is restored' restore
	check "$way" 'two database roles, by docs/operations.md' two_roles "$root"
	if [ "$way" != archive ]; then
		check "$way" 'upgrade, by docs/operations.md' upgrade_package "$root"
		check "$way" 'rollback, by docs/operations.md' go_back_by_package "$root"
		check "$way" 'the package is removed, purged and installed again' removed
		check "$way" 'the invariants hold' in_machine sudo -iu tradepost tradepost check
		in_machine journalctl --no-pager -n 200 >> "$log" 2>&1
		return
	fi
	if [ ! -e "$work/run/tradepost-old" ]; then note 'not checked' "$way" 'upgrade and rollback' "the commit of deploy/upgrade-from cannot be built here"; return; fi
	check "$way" 'a market of the version before' start_old || return
	check "$way" 'upgrade, by docs/operations.md' upgrade "$root"
	check "$way" 'rollback, by docs/operations.md' go_back "$root"
	check "$way" 'the invariants hold' in_machine sudo -iu tradepost tradepost check
	in_machine journalctl --no-pager -n 200 >> "$log" 2>&1
}

mkdir -p "$work/run"
if ! check - 'the release is packed' build; then exit 1; fi
case " ${ways[*]} " in *' archive '*) check - "the program of deploy/upgrade-from is built" build_old ;; esac
git cat-file -e "$(grep -v '^#' deploy/upgrade-from):tools/release/nfpm.yaml" 2>/dev/null ||
	note 'not checked' - 'an upgrade from the last release by the package' 'no release has one yet: this package with a lower number stands in its place'
if [ ! -e "$work/run/debian/etc/sudoers.d/admin" ] && ! check - 'an empty Debian' scripts/install-test/debian.sh "$work/run/debian" postgresql nginx caddy curl certbot python3-certbot-nginx; then
	note 'not checked' - 'everything on Debian' "its packages cannot be had here"
	exit 1
fi
for way in "${ways[@]}"; do
	walk "$way"
	[ -z "$machine" ] || in_machine journalctl --no-pager -u tradepost -n 60 >> "$log" 2>&1
	stop_machine
	rm -rf "$work/run/$way"
done
note 'not checked' - 'docs/host-with-containers.md' 'its commands need a container runtime; make verify reads compose.yaml by its own library'

printf '\n| %-11s | %-5s | %s |\n|---|---|---|\n' result way check
for row in "${results[@]}"; do
	IFS='|' read -r result way title reason <<<"$row"
	printf '| %-11s | %-5s | %s |\n' "$result" "$way" "$title${reason:+: $reason}"
done
[ $failed = 0 ] || printf '\nThe log is %s\n' "$([ -n "${WORK:-}" ] && echo "$log" || echo /var/tmp/tradepost-install-test.log)"
exit $failed
