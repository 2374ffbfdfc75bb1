#!/usr/bin/env bash
# Fails when something answers at one of the addresses, before anything is built for them. Usage: free.sh LISTEN 127.0.0.1:8080 ...
set -u
taken=0
while [ $# -ge 2 ]; do
	if (exec 3<>"/dev/tcp/${2%:*}/${2##*:}") 2>/dev/null; then
		echo "$2 is taken by another program: stop it, or choose another address with $1=127.0.0.1:PORT" >&2
		taken=1
	fi
	shift 2
done
exit $taken
