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

// Commands. Those of npm run in dashboard.
const (
	buildCore  = "go build ./core/..."
	buildStore = "go build ./sql/postgres"
	buildWeb   = "go build ./web"
	testCore   = "go test ./core/... -run TestAnEditChangesEveryField|TestEveryText|TestADraftWithoutNewFields"
	testStore  = "go test ./sql/postgres/... -run TestEveryFieldOfARequest|TestTheDatabaseHasA|TestEveryTableConstraint|TestTableConstraints"
	testWeb    = "go test ./web/kernel ./web/match ./web/trade ./web -run TestEveryField|TestEveryFilter|TestEveryText|TestASavedSearchHas"
	testBot    = "go test ./bot/requests ./bot/lists -run TestEveryFieldOfARequest|TestTheFormOfAList"
	testTexts  = "go test ./bot ./core/text -run TestEveryLanguage|TestEveryError|TestEveryCommand"
	types      = "npm run --silent types"
	testForm   = "npx vitest run src/features/orders/form/orderForm.test.ts"
	testDialog = "npx vitest run src/features/orders/form/PostDialog.test.tsx -t field"
	testLook   = "npx vitest run src/test/firstLook.test.tsx"
	testCard   = "npx vitest run src/features/orders/card/OrderCard.test.tsx -t shows"

	queries = "go tool -modfile=tools/go.mod sqlc generate -f sql/sqlc.yaml"
	rules   = "go run -C tools/rules . ../.."
	keys    = "go run ./core/text/keygen -dir core/text"
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
	declared   = "core/trade/fields.go"
	statements = "sql/queries/orders.sql"
	rows       = "sql/postgres/trade/orders.go"
	api        = "web/kernel/orders.go"
	apiSaved   = "web/match/saved_searches.go"
)

// places lists the changes for a text called region, which is shown, edited, listed and filtered.
var places = []place{
	{
		name: "the declaration", noticed: testCore,
		edits: []edit{{
			declared, "\t\tList:  func(d *ListDraft) *string { return &d.InGameName },\n\t},\n",
			"\t\tList:  func(d *ListDraft) *string { return &d.InGameName },\n\t},\n\t{\n" +
				"\t\tName: \"region\", Option: \"region\", Column: \"region\", Label: \"Region\", Short: \"Region\", Kind: NameText,\n" +
				"\t\tLimit: 40, OnCard: true, InRow: true, OnBoard: true,\n" +
				"\t\tDraft: func(d *OrderDraft) *string { return &d.Region },\n" +
				"\t\tEdit: func(e *OrderEdit) **string { return &e.Region },\n" +
				"\t\tList: func(d *ListDraft) *string { return &d.Region },\n" +
				"\t\tFilter: func(f *TextFilter) *string { return &f.Region },\n\t},\n",
		}},
	},
	{
		name: "the field of a draft", noticed: buildCore,
		edits: []edit{{declared, "\tInGameName       string          //",
			"\tRegion string TAG\n\tInGameName       string          //"}},
	},
	{
		name: "its omitzero", within: "the field of a draft", noticed: testCore,
		edits: []edit{{declared, "\tRegion string TAG", "\tRegion string `json:\",omitzero\"`"}},
	},
	{
		name: "the field of an edit", noticed: buildCore,
		edits: []edit{{declared, "\tInGameName       *string\n",
			"\tInGameName       *string\n\tRegion *string EDITTAG\n"}},
	},
	{
		name: "its omitzero in an edit", within: "the field of an edit", noticed: testCore,
		edits: []edit{{declared, "*string EDITTAG", "*string `json:\",omitzero\"`"}},
	},
	{
		name: "the field of a list", noticed: buildCore,
		edits: []edit{{declared, "\tInGameName   string\n", "\tInGameName   string\n\tRegion string LISTTAG\n"}},
	},
	{
		name: "its omitzero in a list", within: "the field of a list", noticed: testCore,
		edits: []edit{{declared, "string LISTTAG", "string `json:\",omitzero\"`"}},
	},
	{
		name: "the field of a filter", noticed: buildCore,
		edits: []edit{{declared, "\tItem string `json:\",omitzero\"`\n",
			"\tItem string `json:\",omitzero\"`\n\tRegion string FILTERTAG\n"}},
	},
	{
		name: "its omitzero in a filter", within: "the field of a filter", noticed: testCore,
		edits: []edit{{declared, "string FILTERTAG", "string `json:\",omitzero\"`"}},
	},

	{
		name: "the column", noticed: queries,
		edits: []edit{{migration, "", "-- +goose Up\nalter table orders add column region textCHECK;\nINDEX"}},
	},
	{
		name: "its limit in the database", within: "the column", noticed: testStore,
		edits: []edit{{migration, "textCHECK",
			"text constraint orders_region_short check (char_length(region) between 1 and 40)"}},
	},
	{
		name: "its index", within: "the column", noticed: testStore,
		edits: []edit{{migration, "\nINDEX",
			"\ncreate index orders_by_region on orders (lower(region)) where status = 'active';\n"}},
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
			{statements, "archived_at, hidden, list_id, listing_id)\nselect (r.o).id,",
				"archived_at, hidden, list_id, listing_id, region)\nselect (r.o).id,"},
			{statements, "r.hidden, r.list_id, (r.o).listing_id\nfrom restored r",
				"r.hidden, r.list_id, (r.o).listing_id, (r.o).region\nfrom restored r"},
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
		name: "the API's new requests and lists", noticed: buildWeb,
		edits: []edit{{api, "\tBuyerContact string  `",
			"\tRegion string `json:\"region\" required:\"false\"DRAFTLIMIT`\n\tBuyerContact string  `"}},
	},
	{
		name: "its limit there", within: "the API's new requests and lists", noticed: testWeb,
		edits: []edit{{api, "DRAFTLIMIT", " limit:\"region\""}},
	},
	{
		name: "posting it", noticed: testWeb,
		edits: []edit{{api, "trade.OrderDraft{BuyerContact: t.BuyerContact,",
			"trade.OrderDraft{Region: t.Region, BuyerContact: t.BuyerContact,"}},
	},
	{
		name: "the API's edit", noticed: buildWeb,
		edits: []edit{{api, "\tIGN              change[*string] ",
			"\tRegion change[string] `json:\"region\" required:\"false\" nullable:\"true\"EDITLIMIT`\n\tIGN              change[*string] "}},
	},
	{
		name: "its limit in an edit", within: "the API's edit", noticed: testWeb,
		edits: []edit{{api, "EDITLIMIT", " limit:\"region\""}},
	},
	{
		name: "editing it", noticed: testWeb,
		edits: []edit{{api, "\t\tCategory: e.Category.pointer(),",
			"\t\tRegion: e.Region.pointer(), Category: e.Category.pointer(),"}},
	},
	{
		name: "the API's filter", noticed: buildWeb,
		edits: []edit{{api, "\tItemID     core.ItemID       `query:",
			"\tRegion string `query:\"region\"QUERYLIMIT doc:\"The whole region, in any case\"`\n\tItemID     core.ItemID       `query:"}},
	},
	{
		name: "its limit in the filter", within: "the API's filter", noticed: testWeb,
		edits: []edit{{api, "QUERYLIMIT", " limit:\"region\""}},
	},
	{
		name: "filtering by it", noticed: testWeb,
		edits: []edit{{api, "trade.TextFilter{Item: f.Item}", "trade.TextFilter{Item: f.Item, Region: f.Region}"}},
	},
	{
		name: "the API's new searches and watches", noticed: buildWeb,
		edits: []edit{{apiSaved, "\tLevel      int               `json:\"level\" required:",
			"\tRegion string `json:\"region\" required:\"false\"SAVEDLIMIT doc:\"Empty for any\"`\n" +
				"\tLevel      int               `json:\"level\" required:"}},
	},
	{
		name: "its limit in a search", within: "the API's new searches and watches", noticed: testWeb,
		edits: []edit{{apiSaved, "SAVEDLIMIT", " limit:\"region\""}},
	},
	{
		name: "saving a search with it", noticed: testWeb,
		edits: []edit{{apiSaved, "\t\tBell: bell, Name: name,",
			"\t\tTexts: trade.TextFilter{Region: d.Region}, Bell: bell, Name: name,"},
			{apiSaved, "\t\"tradepost/core/match\"\n",
				"\t\"tradepost/core/match\"\n\t\"tradepost/core/trade\"\n"}},
	},
	{
		name: "the API's searches and watches", noticed: buildWeb,
		edits: []edit{{apiSaved, "\tLevel      int               `json:\"level\" doc:",
			"\tRegion string `json:\"region,omitempty\" doc:\"Left out for any\"`\n\tLevel      int               `json:\"level\" doc:"}},
	},
	{
		name: "showing a search with it", noticed: testWeb,
		edits: []edit{{apiSaved, "\t\tText: s.Text, Categories: append(",
			"\t\tRegion: s.Texts.Region, Text: s.Text, Categories: append("}},
	},

	{
		name: "the texts", language: true, generate: []string{keys}, noticed: testBot,
		edits: []edit{
			{"core/text/en.json", "    \"in_game\":", "    \"field_region\": \"Region\",\n    \"in_game\":"},
			{"core/text/en.json", "    \"in_game_name_too_long\":",
				"    \"region_too_long\": \"Region must be {limit, number} characters or fewer\",\n    \"in_game_name_too_long\":"},
			{"core/text/en.json", "    \"request post ign\":",
				"    \"request post region\": {\"description\": \"Where you meet\"},\n    \"request post ign\":"},
			{"core/text/en.json", "    \"request edit ign\":",
				"    \"request edit region\": {\"description\": \"Where you meet; - for anywhere\"},\n    \"request edit ign\":"},
		},
	},
	{
		name: "their translation", language: true, noticed: testTexts,
		edits: []edit{
			{"core/text/de.json", "    \"in_game\":", "    \"field_region\": \"Gegend\",\n    \"in_game\":"},
			{"core/text/de.json", "    \"request post ign\":",
				"    \"request post region\": {\"name\": \"gegend\", \"description\": \"Treffpunkt\"},\n    \"request post ign\":"},
			{"core/text/de.json", "    \"request edit ign\":",
				"    \"request edit region\": {\"name\": \"gegend\", \"description\": \"Treffpunkt; - für keinen\"},\n    \"request edit ign\":"},
			{"core/text/de.json", "    \"in_game_name_too_long\":",
				"    \"region_too_long\": \"Die Gegend darf höchstens {limit, number} Zeichen haben\",\n    \"in_game_name_too_long\":"},
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
	{
		name: "its names on the page", language: true, noticed: types,
		edits: []edit{{"dashboard/src/lib/fields.ts", "  ign: { label:",
			"  region: { label: 'Region', short: 'Region', copied: '' },\n  ign: { label:"}},
	},
}
