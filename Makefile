# Tradepost. `make help` lists the usual targets, `make help-all` all of them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

LISTEN ?= 127.0.0.1:8080
DISCORD_LISTEN ?= 127.0.0.1:8081
DATA ?= .tradepost-demo
SIZE ?= 100000
MODEL ?= 100000
ROUNDS ?= 100
POSTS ?= 2000
MOST ?= 3072
TRADERS ?= 300
SEEDS ?= 2
ROWS ?= 9
THINGS ?= 180
FUZZTIME ?= 20s
COUNT ?= 1000000
DEV_LISTEN ?= 127.0.0.1:5173
# The version of a release; without it the program says its commit: make release VERSION=v1.4.0
VERSION ?=
# How often tests wait as long as on a machine of usual speed: make test PATIENCE=3
PATIENCE ?= 1
export PATIENCE
timeout := $(shell expr 20 \* $(PATIENCE))m
RACES ?= 500
SCHEDULES ?= 10000
SEED ?= 1
OPERATIONS ?= 10000000
# how many months make months plays, and from which seed on
MONTHS ?= 1000
MONTH_SEED ?= 1

# What is compiled once serves the program, the tests and every checkout; nothing needs a C compiler but the race detector. Symbols
# for debuggers (DWARF) cost a sixth of the compiler's time and are left out: dlv compiles its own.
lean := -trimpath -gcflags=all=-dwarf=false -ldflags=-w
export GOFLAGS := $(lean) $(filter-out $(lean),$(GOFLAGS))
export CGO_ENABLED := 0
# A compiler that collects its garbage only from 600 MiB on needs a fifth less time; no package needs more.
roomy := GOGC=off GOMEMLIMIT=600MiB
compile := $(roomy) go build

tool := go tool -modfile=tools/go.mod
lint := go tool -modfile=$(CURDIR)/tools/lint/go.mod
npm := npm --no-audit --no-fund --no-update-notifier --loglevel=error
# What make does beside each other, unless it was told so already.
together = $(if $(filter -j%,$(MAKEFLAGS)),,-j4)
say := @printf '\033[1m==> %s\033[0m\n'

# What building the page needs, and what its tests and checks need besides.
modules := dashboard/node_modules/.package-lock.json
checking := dashboard/node_modules/.checking
client := dashboard/src/api/api.gen.ts dashboard/src/lib/texts.gen.ts
e2e_modules := dashboard/e2e/node_modules/.package-lock.json
built := dashboard/dist/index.html
sources := $(shell find dashboard/src dashboard/public dashboard/scripts -name node_modules -prune -o -type f ! -name api.gen.ts ! -name texts.gen.ts -print 2>/dev/null) \
	$(wildcard dashboard/*.json dashboard/*.ts dashboard/*.html core/text/*.json) core/game/game.json

##@ Use it

.PHONY: run
run: need free bin/tradepost ## Open a market with everything it needs: http://127.0.0.1:8080 (FRESH=1 starts over)
	$(say) 'Opening the market'
	@exec bin/tradepost demo --listen $(LISTEN) --discord-listen $(DISCORD_LISTEN) --data $(DATA) $(if $(FRESH),--fresh)

.PHONY: free
free:
	@scripts/free.sh LISTEN $(LISTEN) DISCORD_LISTEN $(DISCORD_LISTEN)

.PHONY: build
build: need bin/tradepost ## Build the program, with the page inside, into bin/tradepost

##@ Work on it

.PHONY: dev
dev: need bin/tradepost ## The page with hot reload, against the demo: http://127.0.0.1:5173
	@bin/tradepost demo --listen $(LISTEN) --discord-listen $(DISCORD_LISTEN) --data .tradepost-dev --public-url http://$(DEV_LISTEN) & demo=$$!; \
		trap "kill $$demo 2>/dev/null; wait $$demo" EXIT; \
		cd dashboard && TRADEPOST_URL=http://$(LISTEN) npx vite --host $(firstword $(subst :, ,$(DEV_LISTEN))) --port $(lastword $(subst :, ,$(DEV_LISTEN))) --strictPort

.PHONY: check
check: need ## Types, style and the tests that need no database and no browser; `make lint` has the slow checks
	@$(MAKE) $(together) check-go check-page

# The tools that stand alone are checked by make lint and make verify: some bring more packages than the market has.
.PHONY: check-go check-page
check-go: dashboard/dist/.gitkeep
	$(say) 'Go: vet, format and rules'
	@for module in . tools/lab tools/rules; do $(roomy) go vet -C $$module ./...; done
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'gofmt -w these files'; exit 1; }
	@go test -vet=off ./core ./core/coretest ./bot/discord/... ./bot/discordtest
	@go test -C tools/lab -vet=off ./breakages ./faults/history
check-page: $(checking) $(client)
	$(say) 'The page: types, style and rules, beside Go'
	@cd dashboard && npm run --silent types && npm run --silent lint && npx vitest run src/lib

##@ Test

.PHONY: test
test: need $(if $(RACE),need-cc) ## Everything: Go, the dashboard, the browser journeys
	@$(MAKE) $(together) compiled $(checking) $(e2e_modules)
	@$(MAKE) bin/tradepost
	$(say) 'Go tests, and the browser journeys and the dashboard tests beside them; each prints when it ends'
	@$(MAKE) -j2 --keep-going --output-sync=target test-go test-browser test-dashboard

.PHONY: test-faults
test-faults: need ## Each fault once, by itself: what it plays needs a machine that keeps up
	$(say) 'Faults'
	@scripts/test-go.sh faults $(timeout)

.PHONY: test-go
test-go: $(built) $(if $(RACE),need-cc) ## The Go tests of every module, on a real PostgreSQL, with the page in the program (RACE=1: with the race detector where memory is shared)
	$(say) 'Go tests'
	@RACE=$(RACE) scripts/test-go.sh $(timeout)

.PHONY: race
race: need need-cc $(built) ## The Go tests of what shares memory, with the race detector; needs a C compiler
	$(say) 'Go tests with the race detector'
	@scripts/test-go.sh race $(timeout)

.PHONY: test-dashboard
test-dashboard: $(checking) $(built) ## The dashboard's unit tests, and the weight of its first load
	$(say) 'Dashboard tests'
	@cd dashboard && npm run --silent test && npm run --silent size

.PHONY: test-browser
test-browser: bin/tradepost $(e2e_modules) ## The browser journeys, in Chromium against the demo
	$(say) 'Browser journeys'
	@chromium=$$(scripts/chromium.sh) && cd dashboard/e2e && CHROMIUM=$$chromium npx playwright test

.PHONY: axe-all
axe-all: bin/tradepost $(e2e_modules) ## What axe finds in every state, in both themes and at three widths, and what longer texts cut off; make test looks at the 20 that differ
	$(say) 'Accessibility of every state'
	@chromium=$$(scripts/chromium.sh) && cd dashboard/e2e && AXE=all CHROMIUM=$$chromium npx playwright test accessibility languages --grep 'axe finds nothing|in the pseudo-language'

.PHONY: pictures
pictures: bin/tradepost $(e2e_modules) ## Pictures of every screen and state, in both themes and at three widths, into dashboard/e2e/pictures/all
	@chromium=$$(scripts/chromium.sh) && cd dashboard/e2e && CHROMIUM=$$chromium npm run --silent screens

.PHONY: pictures-discord
pictures-discord: bin/tradepost $(e2e_modules) ## Pictures of the messages that are seen most in Discord, light, dark and on a phone, in both languages, into PICTURES or a temporary folder
	@chromium=$$(scripts/chromium.sh) && cd dashboard/e2e && CHROMIUM=$$chromium npm run --silent screens-discord

##@ Check and generate

.PHONY: lint
lint: need $(checking) $(client) $(e2e_modules) dashboard/dist/.gitkeep ## Style, mistakes and import directions of Go and TypeScript
	$(say) 'Lint (the first time compiles the linter)'
	@for module in $$(scripts/modules.sh); do (cd $$module && $(lint) golangci-lint run ./...); done
	@cd dashboard && npm run --silent lint && npm run --silent types && npm run --silent types -- --project e2e

.PHONY: generate generate-go
generate: need ## Regenerate all generated files
	@$(MAKE) $(together) generate-go $(checking)
	$(say) 'Generating what the page makes, after Go and its packages'
	@cd dashboard && npm run --silent generate && npm run --silent client && npm run --silent texts
	@go test -vet=off ./web/firstlook -update >/dev/null

generate-go: export GOGC := off
generate-go: export GOMEMLIMIT := 600MiB
generate-go: dashboard/dist/.gitkeep
	$(say) 'Generating what Go makes (the first time compiles sqlc)'
	@go run ./core/text/keygen -dir core/text
	@go run ./sql/internal/riverschema > sql/river.sql.new
	@mv sql/river.sql.new sql/river.sql
	@$(tool) sqlc generate -f sql/sqlc.yaml
	@go run -C tools/rules . ../..
	@go run ./cmd/tradepost openapi > dashboard/openapi.json.new
	@mv dashboard/openapi.json.new dashboard/openapi.json
	@go run ./cmd/tradepost configuration > docs/configuration.md
	@go run ./cmd/capacity -guide docs/scaling.md
	@go build -C tools/coverage -o ../../bin/coverage .
	@bin/coverage > docs/spec-coverage.md.new
	@mv docs/spec-coverage.md.new docs/spec-coverage.md
	@scripts/publisher.sh
	@scripts/decisions.sh > docs/decisions/README.md.new
	@mv docs/decisions/README.md.new docs/decisions/README.md

.PHONY: verify
verify: need $(checking) dashboard/dist/.gitkeep ## Fail when a generated file is stale, a module is untidy or a document names a test that is not there
	@scripts/verify.sh

.PHONY: architecture
architecture: dashboard/dist/.gitkeep ## The size of packages, types, interfaces and circles, with their limits and goals (ARROWS=1: arrows between files)
	@bin=$$(mktemp -d) && trap 'rm -r "$$bin"' EXIT && (cd tools/architecture && go build -o "$$bin/architecture" .) && \
		"$$bin/architecture" $(if $(ARROWS),-arrows -v)

.PHONY: fuzz
fuzz: need ## Fuzz every target for FUZZTIME each
	@scripts/fuzz.sh $(FUZZTIME)

.PHONY: vulns
vulns: need ## Check dependencies for known vulnerabilities; VULNS=required fails where that cannot be checked
	@scripts/vulns.sh

##@ Measure and simulate

.PHONY: bench
bench: need $(built) $(e2e_modules) ## What everything costs, beside what limits it (SIZE=1000000 for a million requests; needs pgbench)
	$(say) 'Measuring; anything else that runs on this machine shows in the figures'
	@CHROMIUM=$$(scripts/chromium.sh) tools/lab/run bench -size $(SIZE)

.PHONY: bench-alerts
bench-alerts: need $(modules) dashboard/dist/.gitkeep ## What alerts, stock and For me cost, with 100,000 and a million watches
	$(say) 'Measuring; anything else that runs on this machine shows in the figures'
	@tools/lab/run bench -alerts

.PHONY: bench-model
bench-model: need $(built) ## Measure the parts of the model of make capacity and a mixture of them, and fail when the model is off by more than a quarter (MODEL=100000,1000000 COSTS=FILE writes them)
	$(say) 'Measuring; anything else that runs on this machine shows in the figures'
	@tools/lab/run bench -model $(MODEL) $(if $(COSTS),-costs $(COSTS))

.PHONY: times
times: need ## How long builds and tests take in fresh clones with an empty home (WHAT='run generate check test ci', BESIDE=4 loops that never pause)
	@scripts/times.sh $(WHAT)

.PHONY: capacity
capacity: ## What a market of your size needs: make capacity TRADERS=10000 READERS=3000 (WEEKLY=1 BOARDS=500 WEEKS=104 SURVIVES=1 MACHINE=8)
	@go run ./cmd/capacity $(if $(filter command,$(firstword $(origin TRADERS))),-traders $(TRADERS)) $(if $(READERS),-readers $(READERS)) $(if $(WEEKLY),-weekly $(WEEKLY)) \
		$(if $(BOARDS),-boards $(BOARDS)) $(if $(WEEKS),-weeks $(WEEKS)) $(if $(SURVIVES),-survives) $(if $(MACHINE),-machine $(MACHINE))

.PHONY: simulate
simulate: need $(modules) dashboard/dist/.gitkeep ## Play a community with alerts and without, and print how long requests take until they are agreed and handed over (TRADERS=2000 ROWS=60 THINGS=0 SEEDS=10 for all of it; docs/simulation.md lists the rest)
	@tools/lab/run simulate -traders $(TRADERS) -rows $(ROWS) -items $(THINGS) -seeds $(SEEDS) $(if $(START),-start $(START)) \
		$(if $(BOTH),-both $(BOTH)) $(if $(STANDING),-standing $(STANDING)) $(if $(TERMS),-terms $(TERMS)) $(if $(POPULARITY),-popularity $(POPULARITY)) \
		$(if $(SUPPLY),-supply $(SUPPLY)) $(if $(SESSIONS),-sessions $(SESSIONS)) $(if $(ARRANGED),-arranged $(ARRANGED)) \
		$(if $(ALERTS),-alerts $(ALERTS)) $(if $(HOURS),-hours $(HOURS)) $(if $(KNOWN),-known $(KNOWN)) $(if $(LATE),-late $(LATE))

.PHONY: simulate-reach
simulate-reach: need $(modules) dashboard/dist/.gitkeep ## Play weeks of an honest market that begins with one moderator, with limits on reach and without (TRADERS=300 WEEKS=3 VOUCHES=2)
	@tools/lab/run simulate -traders $(TRADERS) -seeds $(SEEDS) -weeks $(or $(WEEKS),3) -vouches $(or $(VOUCHES),2) -popularity 1.07+3 -goods 24

.PHONY: ring
ring: need $(modules) dashboard/dist/.gitkeep ## Play puppets who do all that they may against a grown market and a young one, and print what they move and what that costs (SEED=2)
	@tools/lab/run ring $(if $(SEED),-seed $(SEED))

.PHONY: simulate-year
simulate-year: need $(modules) dashboard/dist/.gitkeep ## Play a year of a busy market with retention, and print the size of each table
	@tools/lab/run year -posts $(POSTS) -most $(MOST)

##@ Break it

.PHONY: faults
faults: need bin/tradepost ## Inject each fault ROUNDS times at five durations, under load
	@tools/lab/run faults -program bin/tradepost -rounds $(ROUNDS)

.PHONY: histories
histories: need bin/tradepost ## Play OPERATIONS (10,000,000) of all kinds through both adapters under faults, and check each history with Porcupine (OPERATIONS=20000 SEED=7 repeats a chapter)
	@tools/lab/run faults -program bin/tradepost -histories $(OPERATIONS) -seed $(SEED) $(if $(LOGS),-logs $(LOGS))

.PHONY: months
months: need dashboard/dist/.gitkeep ## Deliver notices for MONTHS months of simulated time, with outages, restarts and clocks that step (MONTH_SEED=7 MONTHS=1 repeats one)
	@MONTHS=$(MONTHS) MONTH_SEED=$(MONTH_SEED) go test -C tools/lab -count 1 -timeout 120m -v -run '^TestMonths$$' ./months | \
		grep -v -e '^=== ' -e '--- PASS' ; exit $${PIPESTATUS[0]}

.PHONY: cluster
cluster: need bin/tradepost ## As root: three PostgreSQLs with Patroni and HAProxy; kill, freeze, cut off and switch over the primary under load, 3 times each (ROUNDS=20)
	$(say) 'Taking the primary away'
	@tools/lab/run faults -program bin/tradepost -cluster -rounds $(if $(filter command,$(firstword $(origin ROUNDS))),$(ROUNDS),3)

.PHONY: majors
majors: need bin/tradepost ## Restore a backup of each major version of PostgreSQL into each other one, and compare what is stored (installs 15 to 18 from npm, for the run)
	$(say) 'Restoring into other versions of PostgreSQL'
	@scripts/majors.sh bin/tradepost

.PHONY: pooler
pooler: need $(built) ## Through PgBouncer in transaction mode: the store's tests, replicas that trade, and what it costs (SIZE=10000; apt-get install pgbouncer)
	$(say) 'Through a pooler'
	@if ! command -v pgbouncer >/dev/null && ! [ -x /usr/sbin/pgbouncer ]; then echo 'PgBouncer is missing, nothing is played: apt-get install pgbouncer'; else \
		TEST_POOLER=1 go test -count 1 -timeout $(timeout) ./sql/pgconnect ./sql/postgres/... ./core/markettest && \
		TEST_POOLER=1 go test -count 1 -timeout $(timeout) -run 'Pooler' ./cmd/tradepost && \
		tools/lab/run bench -pooler -alone -turn 1s -size $(if $(filter command,$(firstword $(origin SIZE))),$(SIZE),10000); fi

.PHONY: edge
edge: need bin/tradepost ## Varnish with the files of deploy/cache in front of one program and of two: who reads what, and how many requests reach the programs (installs varnish as root)
	$(say) 'Reading through a cache'
	@tools/lab/run faults -program bin/tradepost -edge

.PHONY: third-language
third-language: need $(built) ## Build the program with a made-up third language from a copy of the sources, and look at its page and at Discord
	$(say) 'Speaking a third language'
	@cd dashboard/e2e && THIRD_LANGUAGE=1 CHROMIUM=$$(../../scripts/chromium.sh) npx playwright test third-language --workers 1

.PHONY: citus
citus: need ## As root: build Citus from CITUS_SRC=archive, and run migrations and the store's tests on a coordinator with two workers
	@tools/lab/citus/run.sh '$(CITUS_SRC)'

.PHONY: schedules
schedules: need ## Play 10,000 schedules of writes against each other, one round trip at a time, with faults (SCHEDULES=300 SEED=2)
	$(say) 'Playing schedules'
	@SCHEDULES=$(SCHEDULES) SCHEDULE_SEED=$(SEED) go test -count 1 -timeout 60m -v -run 'TestSchedules$$' ./sql/scheduletest

.PHONY: breakages-schedules
breakages-schedules: need ## Break the core and the store in 12 ways, one at a time, and fail when 10,000 schedules do not notice
	@tools/lab/run breakages -schedules

.PHONY: breakages
breakages: need $(built) ## Break the program in 21 ways, one at a time, and fail when a scene of make faults, or make months, does not notice
	@tools/lab/run breakages

.PHONY: check-field
check-field: need $(checking) ## Add a field to a request in a copy, leave out each place in turn, and fail when nothing notices
	@tools/lab/run checkfield

.PHONY: races
races: need bin/tradepost ## 64 accepts of one request at once, through both adapters, for RACES rounds; nothing may be oversold
	@tools/lab/run faults -program bin/tradepost -races $(RACES)

.PHONY: words
words: need ## 64 words on one handover at once for RACES rounds, with the periodic job beside them; each handover ends once
	@HANDOVER_ROUNDS=$(RACES) go test -count 1 -timeout 60m -run TestOneOfManyWordsAtOnceHasAnEffect ./sql/postgres/trade

.PHONY: soak
soak: need bin/tradepost ## Play COUNT interactions (1,000,000) against the bot, and fail when its heap grows by more than 20 MiB
	@tools/lab/run faults -program bin/tradepost -soak $(COUNT)

##@ Pack and install

SYSTEMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
RELEASE ?= release

.PHONY: release
release: need $(built) ## All of a release but images and provenance, into release/: archives, Debian packages, checksums (VERSION=v0.9.0)
	$(say) 'Packing'
	@rm -rf $(RELEASE)
	@scripts/release.sh $(RELEASE) '$(VERSION)' $(SYSTEMS)

.PHONY: release-twice
release-twice: need ## Pack two fresh clones of the commit, and fail when one byte differs (SYSTEMS=linux/amd64)
	$(say) 'Packing twice'
	@scripts/release-twice.sh '$(VERSION)' $(SYSTEMS)

.PHONY: install-test
install-test: need $(built) ## As root: install package and archive by the pages, on machines booted in folders; trade, back up, upgrade, go back, remove
	$(say) 'Installing as the pages say'
	@scripts/install-test/run.sh

.PHONY: clean
clean: ## Remove what was built; data and downloads stay
	@rm -rf bin dashboard/dist && mkdir -p dashboard/dist && touch dashboard/dist/.gitkeep

# The targets that most changes need; make help-all has the others.
common := run build dev check test lint generate verify release help-all

.PHONY: help
help: # The ten targets that most changes need
	@awk -v common=' $(common) ' 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / && index(common, " " $$1 " ") {printf "  make %-16s %s\n", $$1, $$2}' \
		$(MAKEFILE_LIST)

.PHONY: help-all
help-all: ## All targets, by group
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo

.PHONY: need need-cc
need:
	@scripts/need.sh go node npm
need-cc:
	@scripts/need.sh cc

# On a new machine compiling takes most of a minute, and so does the page: they run beside each other. Only the package of the
# command itself imports the page, so it is all that is compiled after both.
quietly := 2> >(grep -v '^go: downloading' >&2)

bin/tradepost: FORCE
	@$(MAKE) $(together) compiled $(built)
	$(say) 'Linking the program, after Go and the page'
	@$(compile) -o $@ ./cmd/tradepost $(quietly)

# The packages of the command, but for the command itself.
commands := $(addprefix ./,$(sort $(dir $(wildcard cmd/tradepost/*/*.go))))

.PHONY: compiled
compiled: $(if $(wildcard bin/tradepost),,fetched library)
	$(say) 'Compiling Go, after its modules and beside the page'
	@$(compile) $(commands) $(quietly)

# The first time, what most packages need of the standard library is compiled while modules are downloaded.
.PHONY: fetched library
fetched:
	$(say) 'Downloading Go modules (the first time)'
	@go list -deps $(commands) >/dev/null $(quietly)
library:
	$(say) 'Compiling the standard library, beside the downloads (the first time)'
	@$(compile) net/http

$(built): dashboard/package-lock.json $(sources) | $(modules)
	$(say) 'Building the page, after its packages and beside Go'
	@cd dashboard && npm run --silent build -- --logLevel warn
	@touch $@

$(modules): dashboard/package-lock.json
	$(say) 'Installing what the page is built $(if $(omit),,and checked )with, and PostgreSQL (only after they changed)'
	@cd dashboard && $(npm) ci $(omit)
	@touch $@ $(if $(omit),,$(checking))

# Who checks first gets everything at once. Later, unlike ci, install leaves the PostgreSQL of a running demo in place.
omit := --omit=dev
$(checking): omit :=
$(checking): dashboard/package-lock.json | $(modules)
	@[ $@ -nt dashboard/package-lock.json ] || (cd dashboard && $(npm) install --include=dev --no-save)
	@touch $@

dashboard/src/api/api.gen.ts: dashboard/openapi.json $(checking)
	@cd dashboard && npm run --silent client >/dev/null

dashboard/src/lib/texts.gen.ts: dashboard/scripts/text-types.mjs dashboard/scripts/messages.mjs $(wildcard core/text/*.json)
	@cd dashboard && npm run --silent texts

$(e2e_modules): dashboard/e2e/package-lock.json
	$(say) 'Installing the browser tests'"'"' packages'
	@cd dashboard/e2e && $(npm) ci
	@touch $@

dashboard/dist/.gitkeep:
	@mkdir -p $(@D) && touch $@

.PHONY: FORCE
FORCE:
