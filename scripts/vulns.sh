#!/usr/bin/env bash
# Looks for known vulnerabilities in what the modules of Go and the page are made of. Where a database of them cannot be reached it
# prints "not checked", and that is no failure: nothing was found because nothing was looked at. With VULNS=required it is one.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD found=0
database=${VULNS_DATABASE:-https://vuln.go.dev}

not_checked() {
	echo "not checked: $1"
	[ "${VULNS:-}" != required ] || found=1
}

echo '==> Go: govulncheck, by vuln.go.dev'
if curl --silent --show-error --fail --max-time 20 --output /dev/null "$database/index/db.json"; then
	for module in $(scripts/modules.sh); do
		echo "$module"
		(cd "$module" && go tool -modfile="$root/tools/vulns/go.mod" govulncheck -db "$database" ./...) || found=1
	done
else
	not_checked 'the database of Go vulnerabilities cannot be reached from here.'
fi

for folder in dashboard dashboard/e2e tools/release; do
	echo "==> $folder: npm audit, by its registry"
	# npm leaves with the same status whether it found something or could not ask: only an answer has a count.
	answer=$(cd "$folder" && npm audit --audit=true --json --package-lock-only 2>/dev/null)
	if ! grep -q '"auditReportVersion"' <<<"$answer"; then
		not_checked 'the registry does not answer what is known of these packages.'
	elif ! (cd "$folder" && npm audit --audit=true --package-lock-only --audit-level=high); then
		found=1
	fi
done
exit $found
