#!/bin/sh
# Names every prerequisite that is missing, with the command that installs it. Usage: need.sh go node npm
missing=0
say() { printf '  %-6s %s\n' "$1" "$2" >&2; missing=1; }
for tool in "$@"; do
	case $tool in
	go)
		if ! command -v go >/dev/null; then
			say go "not found. Install Go 1.26 or newer: https://go.dev/doc/install"
		elif ! go version | grep -Eq 'go(1\.(2[6-9]|[3-9][0-9])|[2-9])'; then
			say go "is too old ($(go version | cut -d' ' -f3)); 1.26 or newer is needed: https://go.dev/doc/install"
		fi ;;
	node)
		if ! command -v node >/dev/null; then
			say node "not found. Install Node.js 20.19 or newer: https://nodejs.org/en/download"
		elif ! node -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>20||a==20&&b>=19?0:1)'; then
			say node "is too old ($(node --version)); 20.19 or newer is needed: https://nodejs.org/en/download"
		fi ;;
	cc)
		command -v "$(go env CC)" >/dev/null || say cc "not found, and the race detector needs it. On Debian: apt-get install gcc libc6-dev" ;;
	*)
		command -v "$tool" >/dev/null || say "$tool" "not found. On Debian: apt-get install $tool" ;;
	esac
done
if [ $missing = 1 ]; then
	echo "Install what is listed above, then try again." >&2
	exit 1
fi
