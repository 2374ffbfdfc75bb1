#!/usr/bin/env bash
# Looks for known vulnerabilities in what the program and the page are made of. Where a database of them cannot be reached it
# says so plainly, and that is no failure: nothing was found because nothing was looked at.
set -uo pipefail
cd "$(dirname "$0")/.."
found=0

echo '==> Go: govulncheck, by vuln.go.dev'
if curl --silent --show-error --fail --max-time 20 --output /dev/null https://vuln.go.dev/index/db.json; then
	go tool -modfile=tools/vulns/go.mod govulncheck ./... || found=1
else
	echo 'NOT CHECKED: the database of Go vulnerabilities cannot be reached from here.'
fi

for folder in dashboard dashboard/e2e; do
	echo "==> $folder: npm audit, by its registry"
	# npm leaves with the same status whether it found something or could not ask: only an answer has a count.
	answer=$(cd "$folder" && npm audit --audit=true --json --package-lock-only 2>/dev/null)
	if ! grep -q '"auditReportVersion"' <<<"$answer"; then
		echo 'NOT CHECKED: the registry does not answer what is known of these packages.'
	elif ! (cd "$folder" && npm audit --audit=true --package-lock-only --audit-level=high); then
		found=1
	fi
done
exit $found
