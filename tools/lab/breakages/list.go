package main

// breakage is one way in which the program is broken on purpose.
type breakage struct {
	name  string
	edits []edit
	scene string // of make faults, that must catch it
	// rounds are how often the scene is played at most; 0 for once.
	rounds int
	// months of make months that must catch it, instead of a scene.
	months int
}

// edit replaces text that a file has exactly once.
type edit struct{ file, old, new string }

// Scenes of make faults, by the part of their name that is unique.
const (
	sceneAnswerLost  = "the answer to a message is lost, three times"
	sceneNoLink      = "no connections while a message is in its hands"
	sceneAccepts     = "64 accepts of one request at once"
	sceneSameKey     = "the same key from six connections at once"
	sceneCommitLost  = "COMMIT is lost before it arrives"
	sceneCrash       = "PostgreSQL crashes with a COMMIT on its way"
	sceneNonceGone   = "the same, and the nonce is forgotten when it is back"
	sceneTwice       = "interactions delivered twice"
	sceneOtherList   = "a list cached at one replica, written at the other"
	sceneOneGateway  = "two replicas and one connection to the gateway"
	sceneExpiry      = "requests expire with offers of users on them"
	sceneKilledInUse = "killed -9 with messages in its hands, back at once"
	sceneThree       = "three accounts do all they may"
	sceneFourteen    = "fourteen accounts do all they may"
	sceneHistories   = "20,000 operations of all kinds under faults"
)

// Breakages, in the order in which they are tried.
var breakages = []breakage{
	{
		name: "no nonce", scene: sceneAnswerLost, rounds: 2,
		edits: []edit{{"bot/discord/messages.go", "body: sendOnce{m.send(0), nonce, true},",
			"body: m.send(0),"}},
	},
	{
		name: "settle only once", scene: sceneNoLink,
		edits: []edit{{"core/channels/delivery.go",
			"if core.KindOf(err) != core.Unavailable {\n\t\t\treturn ended, err",
			"if true {\n\t\t\treturn ended, err"}},
	},
	{
		name: "accept without the row lock", scene: sceneAccepts, rounds: 10,
		edits: []edit{{"sql/internal/db/offers.sql.go", "for update of orders, offers", ""}},
	},
	{
		name: "key ignored", scene: sceneSameKey, rounds: 3,
		edits: []edit{{"core/claim.go", "\tif actor.Key == \"\" {\n\t\treturn nil, nil\n\t}\n\tfor",
			"\tif true {\n\t\treturn nil, nil\n\t}\n\tfor"}},
	},
	{
		name: "no advisory lock for the key", scene: sceneSameKey, rounds: 20,
		edits: []edit{{"sql/postgres/kernel/claims.go",
			"if err := t.Q.WaitForClaim(ctx, lockNumber(name)); err != nil {",
			"_ = name\n\t\tif err := error(nil); err != nil {"}},
	},
	{
		name: "lost COMMIT taken for committed", scene: sceneCommitLost,
		edits: []edit{{"sql/postgres/kernel/tx.go", "committed, statusErr := s.commitStatus(ctx, p.id)",
			"committed, statusErr := true, error(nil)"}},
	},
	{
		name: "server restart not noticed", scene: sceneCrash, rounds: 50,
		edits: []edit{{"sql/postgres/kernel/commit_status.go", "case err == nil && answer.Epoch != of.epoch:",
			"case err == nil && answer.Epoch != of.epoch && false:"}},
	},
	{
		name: "old message not looked for", scene: sceneNonceGone,
		edits: []edit{{"core/channels/delivery.go", "delivery.Uncertain = ",
			"delivery.Uncertain = false && "}},
	},
	{
		name: "button press without a key", scene: sceneTwice, rounds: 3,
		edits: []edit{
			{"bot/kernel/write_key.go", "actor.Key = in.interactionKey()", "actor.Key = \"\""},
			{"bot/kernel/write_key.go", "actor.Key, actor.OtherKey = \"press-\"+hex.EncodeToString(hash.Sum(nil)), actor.Key", "_ = hex.EncodeToString"},
		},
	},
	{
		name: "change feed not written", scene: sceneOtherList,
		edits: []edit{{"sql/postgres/kernel/tx.go", "\tt.saveChange(ctx)\n", ""}},
	},
	{
		name: "every replica holds the gateway", scene: sceneOneGateway,
		edits: []edit{{"sql/gatewaylock/lock.go", "\t\tif err == nil && mine {\n",
			"\t\tif err == nil && (mine || true) {\n"}},
	},
	{
		name: "expiry sends no notices", scene: sceneExpiry,
		edits: []edit{{"core/trade/periodic.go", "notices = append(notices, lapsed...)", "_ = lapsed"}},
	},
	{
		name: "a dead worker's lease stays", scene: sceneKilledInUse,
		edits: []edit{{"sql/internal/db/jobs.sql.go",
			"with released as (update mailboxes set busy_until = null, busy_by = '' where busy_by = $3::text)\n", ""}},
	},
	{
		name: "HTTP 200 although COMMIT failed", scene: sceneCommitLost,
		edits: []edit{{"sql/postgres/kernel/tx.go", "if err = p.Commit(ctx); err == nil {",
			"if err = p.Commit(ctx); true {"}},
	},
	{
		name: "accounts do not share their reach", scene: sceneFourteen,
		edits: []edit{{"core/match/reach.go", "case reached+one(a) <= limit && len(taken) < places:",
			"case reached+one(a) <= limit:"}},
	},
	{
		name: "names of anybody are completed", scene: sceneThree,
		edits: []edit{{"core/items/item_index.go", "i.Trusted >= provisionalPeople)",
			"i.Requests >= provisionalPeople)"}},
	},
	{
		name: "trades of anybody make prices", scene: sceneThree,
		edits: []edit{{"core/items/price.go", "case young && f.NewAccount:\n\t\treturn 0\n\tcase young:",
			"case true:"}},
	},
	{
		name: "an accept leaves its offer as it was", scene: sceneHistories,
		edits: []edit{{"core/trade/sale.go", "\toffer.Quantity -= qty\n",
			"\tif offer.Quantity == qty {\n\t\toffer.Quantity = 0\n\t}\n"}},
	},
	{
		name: "a replica serves an old list to its writer", scene: sceneHistories,
		edits: []edit{{"web/serving/cached_routes.go", "if route != nil && bypassesCache(r) {",
			"if route != nil && bypassesCache(r) && false {"}},
	},
	{
		name: "no line within a mailbox", months: 20,
		edits: []edit{{"core/channels/delivery.go", "next.ID != 0 && next.ID != id {",
			"next.ID != 0 && next.ID != id && false {"}},
	},
	{
		name: "times of a clock that stepped are waited for", months: 20,
		edits: []edit{
			{"core/notify/mailbox.go", "0 < ahead && ahead <= longest {", "0 < ahead {"},
			{"sql/waits/bring_back.go", "return limit, to, t.within(extent)", "return limit, to, false"},
		},
	},
}
