#!/usr/bin/env bash
# Installs the market as an operator would, by the commands that the pages of docs/ print, on an empty Debian that boots with its own
# systemd; then breaks, restarts, backs up, restores, upgrades and goes back. It prints a table of what was found, and of what could
# not be checked here. As root, outside CI. It writes a folder in /var/tmp, which it removes in the end, and the log beside it; with
# WORK it uses that folder, keeps it, and takes from it what an earlier run has built.
# install-test/run.sh [caddy] [nginx]
set -uo pipefail
cd "$(dirname "$0")/../.."
here=$PWD
ways=("$@")
[ ${#ways[@]} -gt 0 ] || ways=(caddy nginx)
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
	scripts/release.sh "$work/run/release" v0.0.1-test "linux/$arch" &&
		CGO_ENABLED=0 go build -C tools/lab -trimpath -o "$work/run/standin" ./standin
}

# build_old builds the program that an upgrade begins with. Its page is today's: only the program matters here.
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
	cp "$work"/run/release/* "$root/srv/release/"
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

# follow writes the page's commands into one script, as somebody would type them into one terminal, with what the page leaves to its
# reader, and what cannot be had here, before the block that it concerns.
follow() { # ROOT WAY
	local script=$1/srv/page.sh
	{
		echo 'set -e'
		echo 'cd'
		scripts/install-test/blocks.sh "docs/host-on-debian-with-$2.md" | sed 's|https://github.com/OWNER/tradepost/releases/latest/download|file:///srv/release|' |
			while IFS= read -r line; do
				case $line in
				'# block '*) printf 'echo "### %s" >&2\n' "${line#\# }" ;;
				'sudo certbot '*) echo "sudo cp /srv/tls/fullchain.pem /srv/tls/privkey.pem /etc/letsencrypt/live/trade.example/" ;;
				'sudo -iu tradepost tradepost setup')
					echo "echo DISCORD_API_URL=http://127.0.0.1:8081 | sudo tee -a /srv/tradepost/.env > /dev/null"
					echo "{ read -r token; read -r secret; } < /run/standin"
					printf '%s\n' "printf '%s\\n' 'Harbour Market' https://trade.example \"\$token\" \"\$secret\" '' '' '' 872031946600157194 later > /tmp/answers"
					echo "$line < /tmp/answers" ;;
				'sudo systemctl reload caddy')
					echo "printf '{\\n\\tskip_install_trust\\n}\\n' | cat - /etc/caddy/Caddyfile | sed 's|^trade.example {|&\\n\\ttls /srv/tls/fullchain.pem /srv/tls/privkey.pem|' > /tmp/Caddyfile && sudo cp /tmp/Caddyfile /etc/caddy/Caddyfile && sudo chmod 644 /srv/tls/privkey.pem"
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
		scripts/install-test/blocks.sh docs/operations.md "$2" | sed 's|https://github.com/OWNER/tradepost/releases/latest/download|file:///srv/release|'
	} > "$1/srv/section.sh"
	grep -q sudo "$1/srv/section.sh" || { echo "docs/operations.md has no commands under $2"; return 1; }
	in_machine sudo -iu admin bash /srv/section.sh < /dev/null && inside eventually /srv/inside.sh works && inside has 'Iron Ore'
}

upgrade() { section "$1" 'Upgrade' && inside trade 'Coal'; }

go_back() {
	in_machine sh -c 'mkdir -p /home/admin/before/99990101-000000 && cp /srv/tradepost-old /home/admin/before/99990101-000000/tradepost' &&
		section "$1" 'Go back' && inside trade 'Silver Ore'
}

walk() { # WAY
	local way=$1 root=$work/run/$1
	cp -a "$work/run/debian" "$root"
	check "$way" 'the machine has what stands in for the outside' settle "$root" "$way" || return
	check "$way" 'the machine boots' start_machine "$root" || return
	check "$way" "docs/host-on-debian-with-$way.md, word by word" follow "$root" "$way" || { in_machine journalctl -u tradepost -u "$way" --no-pager -n 40 >> "$log" 2>&1; return; }
	if [ "$way" = nginx ]; then note 'not checked' "$way" 'certbot gets a certificate' 'there is no public address; one of the test stands in its place'
	else note 'not checked' "$way" 'Caddy gets a certificate by itself' 'there is no public address; one of the test stands in its place'; fi
	check "$way" 'HTTPS, and HTTP leads there' in_machine sh -c 'curl -sf https://trade.example/healthz && test "$(curl -s -o /dev/null -w "%{redirect_url}" http://trade.example/x)" = https://trade.example/x'
	check "$way" 'a trade by page and API' inside trade 'Iron Ore'
	check "$way" 'all services are restarted' restart_all "$way"
	check "$way" 'the power goes, and comes back' reboot "$root"
	check "$way" 'the database is away for a while' database_away
	check "$way" 'the program is killed' killed
	check "$way" 'the timer of the backups waits' in_machine systemctl is-active tradepost-backup.timer
	check "$way" 'a backup by its service' back_up
	if in_machine /usr/local/bin/tradepost backup verify --help 2> /dev/null | grep scratch > /dev/null; then check "$way" 'the backup is verified' verify
	else note 'not checked' "$way" 'the backup is verified' 'this program has no "backup verify"'; fi
	check "$way" 'the backup is restored' restore
	check "$way" 'two database roles, by docs/operations.md' two_roles "$root"
	if [ ! -e "$work/run/tradepost-old" ]; then note 'not checked' "$way" 'upgrade and rollback' "the commit of deploy/upgrade-from cannot be built here"; return; fi
	check "$way" 'a market of the version before' start_old || return
	check "$way" 'upgrade, by docs/operations.md' upgrade "$root"
	check "$way" 'rollback, by docs/operations.md' go_back "$root"
	check "$way" 'the invariants hold' in_machine sudo -iu tradepost tradepost check
	in_machine journalctl --no-pager -n 200 >> "$log" 2>&1
}

mkdir -p "$work/run"
if ! check - 'the release is packed' build; then exit 1; fi
check - "the program of deploy/upgrade-from is built" build_old
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
