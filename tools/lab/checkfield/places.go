package main

// place is one place that a new field of a request needs, and the commands that notice when it is left out.
// docs/adding-a-field.md lists the same places.
type place struct {
	name     string
	edits    []edit
	within   string   // the place whose text this one extends; empty for none
	generate []string // what must be generated again without the place, besides what is compiled
	noticed  string   // the command that must fail
	language bool     // translations, fixtures and tests: not counted
}

// edit replaces text that a file has exactly once. An edit without an old text makes the file.
type edit struct{ file, old, new string }

// Commands. Those that begin with npx run in dashboard.
const (
	buildCore  = "go build ./core/..."
	buildStore = "go build ./sql/postgres"
	buildWeb   = "go build ./web"
	buildBot   = "go build ./bot"
	testCore   = "go test ./core/... -run TestAnEditChangesEveryField|TestEveryText|TestEveryLimit|TestADraftWithoutNewFields"
	testStore  = "go test ./sql/postgres/... -run TestEveryFieldOfARequest|TestTheDatabaseHasALimit|TestEveryTableConstraint|TestTableConstraints"
	testWeb    = "go test ./web/kernel ./web -run TestEveryFieldOfARequest"
	testBot    = "go test ./bot/requests -run TestEveryFieldOfARequest"
	testTexts  = "go test ./bot ./bot/text -run TestEveryLanguage|TestEveryError|TestEveryCommand"
	types      = "npx tsc --noEmit"
	testForm   = "npx vitest run src/features/orders/form/orderForm.test.ts"
	testDialog = "npx vitest run src/features/orders/form/PostDialog.test.tsx -t field"
	testLook   = "npx vitest run src/test/firstLook.test.tsx"
	testCard   = "npx vitest run src/features/orders/card/OrderCard.test.tsx -t shows"

	queries = "go tool -modfile=tools/go.mod sqlc generate -f sql/sqlc.yaml"
	rules   = "go run -C tools/rules . ../.."
	keys    = "go run ./bot/text/keygen -dir bot/text"
	openAPI = "go run ./cmd/tradepost openapi"
	client  = "npx openapi-typescript openapi.json -o src/api/api.gen.ts"
	looks   = "node dashboard/scripts/first-look.mjs"
	look    = "go test ./web/firstlook -update"
)

// generators are the commands of make generate that write what follows from a field. The keys of texts come
// first: without them, no command that contains the bot builds.
var generators = []string{keys, queries, rules, openAPI, client, looks, look}

// checks are the commands that pass while no place is left out.
var checks = []string{
	"go build ./...", "go vet ./core/... ./sql/postgres/... ./web/... ./bot/...", testCore, testStore,
	testWeb, testBot, testTexts, types, testForm,
	testDialog, testCard, testLook,
}

// migration is the file that adds the column. Its number is free in every tree.
const migration = "sql/migrations/99999_region.sql"

const (
	limits      = "core/limits.go"
	order       = "core/trade/order.go"
	statements  = "sql/queries/orders.sql"
	rows        = "sql/postgres/trade/orders.go"
	constraints = "sql/postgres/kernel/errors.go"
	api         = "web/kernel/orders.go"
	botFields   = "bot/requests/fields.go"
	botCard     = "bot/kernel/cards.go"
	form        = "dashboard/src/features/orders/form/orderForm.ts"
	formFields  = "dashboard/src/features/orders/form/OrderFields.tsx"
	card        = "dashboard/src/features/orders/card/CardDetails.tsx"
	validation  = "dashboard/src/lib/validation.ts"
	lookField   = "web/firstlook/look.go"
	lookCard    = "web/firstlook/cards.html"
)

// places are those of a text called region.
var places = []place{
	{
		name: "its limit", noticed: buildCore,
		edits: []edit{{limits, "\tMaxInGameName   = 64\n", "\tMaxInGameName   = 64\n\tMaxRegion = 40\n"}},
	},
	{
		name: "the limit's name", noticed: buildCore,
		edits: []edit{{limits, "\tInGameName  int `json:\"inGameName\"`\n",
			"\tInGameName  int `json:\"inGameName\"`\n\tRegion int `json:\"region\"`\n"}},
	},
	{
		name: "the limit's number", noticed: testCore,
		edits: []edit{{limits, "InGameName: MaxInGameName,",
			"InGameName: MaxInGameName, Region: MaxRegion,"}},
	},
	{
		name: "the field of a draft", noticed: buildCore,
		edits: []edit{{order, "\tSignedInOnly     bool            //",
			"\tRegion string TAG\n\tSignedInOnly     bool            //"}},
	},
	{
		name: "its omitzero", within: "the field of a draft", noticed: testCore,
		edits: []edit{{order, "string TAG", "string `json:\",omitzero\"`"}},
	},
	{
		name: "cleaning", noticed: testCore,
		edits: []edit{{order, "\td.InGameName = forms.Name(d.InGameName)\n",
			"\td.InGameName = forms.Name(d.InGameName)\n\td.Region = forms.Name(d.Region)\n"}},
	},
	{
		name: "validation", noticed: testCore,
		edits: []edit{{
			order, "\tc.That(d.LevelRequirement == nil ||",
			"\tc.That(core.Within(d.Region, core.MaxRegion), \"region\", core.TooLong(\"region_too_long\", \"Region\", core.MaxRegion))\n\tc.That(d.LevelRequirement == nil ||",
		}},
	},
	{
		name: "the field of an edit", noticed: buildCore,
		edits: []edit{{order, "\tInGameName       *string\n",
			"\tInGameName       *string\n\tRegion *string EDITTAG\n"}},
	},
	{
		name: "its omitzero too", within: "the field of an edit", noticed: testCore,
		edits: []edit{{order, "*string EDITTAG", "*string `json:\",omitzero\"`"}},
	},
	{
		name: "applying an edit", noticed: testCore,
		edits: []edit{{order, "\tset(&d.InGameName, e.InGameName)\n",
			"\tset(&d.InGameName, e.InGameName)\n\tset(&d.Region, e.Region)\n"}},
	},

	{
		name: "the column", noticed: queries,
		edits: []edit{{migration, "", "-- +goose Up\nalter table orders add column region textCHECK;\n"}},
	},
	{
		name: "its limit in the database", within: "the column", noticed: testStore,
		edits: []edit{{migration, "textCHECK",
			"text constraint orders_region_short check (char_length(region) between 1 and 40)"}},
	},
	{
		name: "adding a row", generate: []string{queries}, noticed: buildStore,
		edits: []edit{
			{statements, "-- name: AddOrder :exec\ninsert into orders (id,",
				"-- name: AddOrder :exec\ninsert into orders (region, id,"},
			{statements, "values (@id, @user_id,", "values (@region, @id, @user_id,"},
		},
	},
	{
		name: "saving a row", generate: []string{queries}, noticed: buildStore,
		edits: []edit{{statements, "-- name: SaveOrder :exec\nupdate orders set ",
			"-- name: SaveOrder :exec\nupdate orders set region = @region, "}},
	},
	{
		name: "restoring a row", generate: []string{queries}, noticed: testStore,
		edits: []edit{
			{statements, "archived_at, hidden, list_id)\nselect (r.o).id,",
				"archived_at, hidden, list_id, region)\nselect (r.o).id,"},
			{statements, "r.hidden, r.list_id\nfrom restored r",
				"r.hidden, r.list_id, (r.o).region\nfrom restored r"},
		},
	},
	{
		name: "reading it", noticed: testStore,
		edits: []edit{{rows, "InGameName: kernel.OrZero(o.InGameName),",
			"InGameName: kernel.OrZero(o.InGameName), Region: kernel.OrZero(o.Region),"}},
	},
	{
		name: "adding it", noticed: testStore,
		edits: []edit{{rows, "db.AddOrderParams{\n",
			"db.AddOrderParams{\n\t\tRegion: kernel.OrNull(o.Region),\n"}},
	},
	{
		name: "saving it", noticed: testStore,
		edits: []edit{{rows, "db.SaveOrderParams{\n",
			"db.SaveOrderParams{\n\t\tRegion: kernel.OrNull(o.Region),\n"}},
	},
	{
		name: "the constraint's error", noticed: testStore,
		edits: []edit{{
			constraints, "\t\"orders_level_valid\": ",
			"\t\"orders_region_short\": invalid(\"region\", tooLong(\"region_too_long\", \"Region\", core.MaxRegion)),\n\t\"orders_level_valid\": ",
		}},
	},

	{
		name: "the API's answer", noticed: buildWeb,
		edits: []edit{{api, "\tIGN              *string                  ",
			"\tRegion string `json:\"region\" doc:\"Empty for none\"`\n\tIGN              *string                  "}},
	},
	{
		name: "answering it", noticed: testWeb,
		edits: []edit{{api, "IGN: TextOrNil(o.InGameName),",
			"IGN: TextOrNil(o.InGameName), Region: o.Region,"}},
	},
	{
		name: "its label", noticed: testWeb,
		edits: []edit{{api, "\"ign\": \"In-game name\",",
			"\"ign\": \"In-game name\", \"region\": \"Region\","}},
	},
	{
		name: "the API's new request", noticed: buildWeb,
		edits: []edit{{api, "\tIGN              *string         `",
			"\tRegion string `json:\"region\" required:\"false\"DRAFTLIMIT`\n\tIGN              *string         `"}},
	},
	{
		name: "its limit there", within: "the API's new request", noticed: testWeb,
		edits: []edit{{api, "DRAFTLIMIT", " limit:\"region\""}},
	},
	{
		name: "posting it", noticed: testWeb,
		edits: []edit{{api, "\t\tSignedInOnly: d.SignedInOnly,\n",
			"\t\tSignedInOnly: d.SignedInOnly, Region: d.Region,\n"}},
	},
	{
		name: "the API's edit", noticed: buildWeb,
		edits: []edit{{api, "\tIGN              change[*string] ",
			"\tRegion change[string] `json:\"region\" required:\"false\" nullable:\"true\"EDITLIMIT`\n\tIGN              change[*string] "}},
	},
	{
		name: "its limit there too", within: "the API's edit", noticed: testWeb,
		edits: []edit{{api, "EDITLIMIT", " limit:\"region\""}},
	},
	{
		name: "editing it", noticed: testWeb,
		edits: []edit{{api, "\t\tCategory: e.Category.pointer(),",
			"\t\tRegion: e.Region.pointer(), Category: e.Category.pointer(),"}},
	},

	{
		name: "the bot's option", noticed: testBot,
		edits: []edit{{botFields, "\t\tcommands.Text(\"ign\", core.MaxInGameName),\n",
			"\t\tcommands.Text(\"ign\", core.MaxInGameName),\n\t\tcommands.Text(\"region\", core.MaxRegion),\n"}},
	},
	{
		name: "the bot's form", noticed: testBot,
		edits: []edit{{
			botFields, "\t\t{Name: \"ign\", Label:",
			"\t\t{Name: \"region\", Label: t.Plain(msg.FieldRegion), Optional: true, MaxLength: core.MaxRegion},\n\t\t{Name: \"ign\", Label:",
		}},
	},
	{
		name: "the value in the form", noticed: testBot,
		edits: []edit{{botFields, "\"ign\": o.InGameName,", "\"ign\": o.InGameName, \"region\": o.Region,"}},
	},
	{
		name: "reading a draft", noticed: testBot,
		edits: []edit{{botFields, "InGameName: in.Text(\"ign\"),",
			"InGameName: in.Text(\"ign\"), Region: in.Text(\"region\"),"}},
	},
	{
		name: "reading an edit", noticed: testBot,
		edits: []edit{{botFields, "\tedit.ItemName, edit.Description,",
			"\tedit.Region = word(\"region\")\n\tedit.ItemName, edit.Description,"}},
	},
	{
		name: "the bot's card", noticed: testBot,
		edits: []edit{{
			botCard, "\tif o.InGameName != \"\" {\n\t\tcontact += between",
			"\tif o.Region != \"\" {\n\t\tcontact += between + t.Text(msg.Region, o.Region)\n\t}\n\tif o.InGameName != \"\" {\n\t\tcontact += between",
		}},
	},

	{name: "the form's value", noticed: types,
		edits: []edit{{form, "  ign: string\n", "  ign: string\n  region: string\n"}}},
	{name: "the empty form", noticed: types,
		edits: []edit{{form, "  ign: '',\n", "  ign: '',\n  region: '',\n"}}},
	{name: "filling the form", noticed: types,
		edits: []edit{{form, "    ign: order.ign ?? '',\n",
			"    ign: order.ign ?? '',\n    region: order.region,\n"}}},
	{name: "sending the form", noticed: types,
		edits: []edit{{form, "  ign: z.pipe(typedTextOrNone, orderRules.ign),\n",
			"  ign: z.pipe(typedTextOrNone, orderRules.ign),\n  region: orderRules.region,\n"}}},
	{
		name: "the input", noticed: testDialog,
		edits: []edit{{
			formFields, "        <Field label=\"In-game name\"",
			"        <Field label=\"Region\" optional error={errorOf('region')} help={hints.region}>\n" +
				"          {(field) => <Input {...field} {...register('region')} />}\n        </Field>\n        <Field label=\"In-game name\"",
		}},
	},
	{
		name: "the page's card", noticed: testCard,
		edits: []edit{{card, "      {ign && (\n",
			"      {order.region && <Detail name=\"Region\">{order.region}</Detail>}\n      {ign && (\n"}},
	},
	{
		name: "the first look's field", noticed: look,
		edits: []edit{{
			lookField, "\t\tSignedInOnly     bool ",
			"\t\tRegion string `json:\"region\"`\n\t\tSignedInOnly     bool ",
		}},
	},
	{
		name: "the first look's card", generate: []string{look}, noticed: testLook,
		edits: []edit{{
			lookCard, "{{- if .IGN}}<div",
			`{{- if .Region}}<div class="flex h-6 min-w-0 max-w-full items-center gap-1.5 pointer-coarse:h-7">` +
				`<dt class="shrink-0 text-muted-foreground">Region</dt>` +
				`<dd class="tabular flex min-w-0 items-center truncate">{{.Region}}</dd></div>{{end}}` +
				"\n{{- if .IGN}}<div",
		}},
	},
	{
		name: "the page's rule", noticed: types,
		edits: []edit{{
			validation, "  ign: z.nullable(optional('In-game name', limits.inGameName, cleanName)),\n",
			"  ign: z.nullable(optional('In-game name', limits.inGameName, cleanName)),\n  region: optional('Region', limits.region, cleanName),\n",
		}},
	},

	{
		name: "the texts", language: true, generate: []string{keys}, noticed: buildBot,
		edits: []edit{
			{"bot/text/en.json", "    \"in_game\":",
				"    \"region\": \"region: {0}\",\n    \"field_region\": \"Region\",\n    \"in_game\":"},
			{"bot/text/en.json", "    \"request post ign\":",
				"    \"request post region\": {\"description\": \"Where you meet\"},\n    \"request post ign\":"},
			{"bot/text/en.json", "    \"request edit ign\":",
				"    \"request edit region\": {\"description\": \"Where you meet; - for anywhere\"},\n    \"request edit ign\":"},
		},
	},
	{
		name: "their translation", language: true, noticed: testTexts,
		edits: []edit{
			{"bot/text/de.json", "    \"in_game\":",
				"    \"region\": \"Gegend: {0}\",\n    \"field_region\": \"Gegend\",\n    \"in_game\":"},
			{"bot/text/de.json", "    \"request post ign\":",
				"    \"request post region\": {\"name\": \"gegend\", \"description\": \"Treffpunkt\"},\n    \"request post ign\":"},
			{"bot/text/de.json", "    \"request edit ign\":",
				"    \"request edit region\": {\"name\": \"gegend\", \"description\": \"Treffpunkt; - für keinen\"},\n    \"request edit ign\":"},
			{"bot/text/de.json", "    \"in_game_name_too_long\":",
				"    \"region_too_long\": \"Die Gegend darf höchstens {0} Zeichen haben\",\n    \"in_game_name_too_long\":"},
		},
	},
	{
		name: "what breaks the constraint", language: true, noticed: testStore,
		edits: []edit{{
			"sql/postgres/kernel/constraints_test.go", "\t\"orders_level_valid\": ",
			"\t\"orders_region_short\": `update orders set region = '' where id = 1`,\n\t\"orders_level_valid\": ",
		}},
	},
	{
		name: "the page's test data", language: true, noticed: types,
		edits: []edit{{"dashboard/src/test/server.ts", "    ign: 'Ashdown',\n",
			"    ign: 'Ashdown',\n    region: 'Ashfall',\n"}},
	},
}
