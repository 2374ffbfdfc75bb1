package market_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/hours"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/security"
	"tradepost/core/text"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/core/webhook"
)

// declared returns the constants of each named string type of core and the packages below it, by the name of each.
func declared(t *testing.T) map[string]map[string]string {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]string{}
	for _, name := range append(files, below...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		collect(t, file, found)
	}
	return found
}

func collect(t *testing.T, file *ast.File, found map[string]map[string]string) {
	t.Helper()
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		typ, ok := spec.Type.(*ast.Ident)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == gotoken.STRING {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			name := file.Name.Name + "." + typ.Name
			if found[name] == nil {
				found[name] = map[string]string{}
			}
			found[name][spec.Names[0].Name] = value
		}
		return true
	})
}

func texts[T ~string](values []T) []string {
	var all []string
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

func TestEveryConstantIsInTheListOfItsType(t *testing.T) {
	t.Parallel()
	lists := map[string][]string{
		"notify.Kind":               append(texts(notify.Kinds), string(notify.NoticeDigest)), // no notice is a digest
		"hours.Preset":              texts(hours.Presets),
		"notify.Cause":              texts(notify.Causes),
		"notify.State":              texts(notify.States),
		"channels.RoleAct":          texts(channels.RoleActs),
		"core.AuditAction":          texts(core.AuditActions),
		"trade.OfferState":          texts(trade.OfferStates),
		"moderation.ReportState":    texts(moderation.ReportStates),
		"moderation.ReportDecision": texts(moderation.ReportDecisions),
		"trade.Status":              texts(trade.Statuses),
		"trade.CloseReason":         append(texts(trade.CloseReasons), string(trade.NotClosed)), // open orders have none
		"game.Importance":           texts(game.Importances),
		"match.Sort":                append(texts(match.FillSorts), string(match.Cheapest), "earnings-made"), // which is of cursors only
		"market.TodoKind":           texts(market.TodoKinds),
		"match.OrderList":           texts(match.OrderLists),
		"trade.Reason":              texts(trade.Reasons),
		"trade.EventKind":           texts(trade.EventKinds),
		"trade.SentPart":            texts(trade.SentParts),
		"match.Grouping":            texts(match.Groupings),
		"match.View":                texts(match.Views),
		"match.Side":                texts(match.Sides),
		"match.Way":                 texts(match.Ways),
		"match.Snooze":              texts(match.Snoozes),
		"items.Sort":                texts(items.Sorts),
		"items.State":               texts(items.States),
		"items.PriceSource":         texts(items.PriceSources),
		"items.OddsOf":              texts(items.AllOddsOf),
		"trust.Side":                texts(trust.Sides),
		"trade.TextKind":            texts(trade.TextKinds),
		"trade.Word":                texts(trade.Words),
		"token.Scope":               texts(token.Scopes),
		"webhook.State":             texts(webhook.States),
		"webhook.Reason":            texts(webhook.Reasons),
		"webhook.Failure":           texts(webhook.Failures),
		"trade.Sellers":             texts(trade.AllSellers),
		"core.PublicKind":           texts(core.PublicKinds),
		"core.UndoKind":             texts(core.UndoKinds),
		"core.Counted":              texts(core.AllCounted),
		"moderation.ItemDecision":   texts(moderation.ItemDecisions),
		"trust.TraderOrigin":        texts(trust.TraderOrigins),
		"trust.RingReason":          texts(trust.RingReasons),
		"trust.HandoverState":       texts(trust.HandoverStates),
		"security.Event":            texts(security.All),
		"text.Key":                  texts(slices.Collect(maps.Keys(text.Languages[0].Messages))),
		"text.Kind":                 {string(text.AText), string(text.ANumber), string(text.AChoice), string(text.ATag)},
	}
	constants := declared(t)
	for name := range lists {
		if len(constants[name]) == 0 {
			t.Errorf("%s has no constants", name)
		}
	}
	for name, constants := range constants {
		for constant, value := range constants {
			if list, ok := lists[name]; !ok || !slices.Contains(list, value) {
				t.Errorf("%s is in no list of all values of %s", constant, name)
			}
		}
		if len(lists[name]) > len(constants) {
			t.Errorf("%s has %d constants and a list of %d", name, len(constants), len(lists[name]))
		}
	}
}

func TestNoticesAndActionsAreNamedAsTheyAreStored(t *testing.T) {
	t.Parallel()
	constants := declared(t)
	for typ, prefix := range map[string]string{"notify.Kind": "Notice", "notify.State": "Notice", "core.AuditAction": "Audit", "trade.OfferState": "Offer", "moderation.ReportState": "Report"} {
		if len(constants[typ]) == 0 {
			t.Errorf("%s has no constants", typ)
		}
		for name, value := range constants[typ] {
			if want := prefix + "_" + value; !strings.EqualFold(snake(name), want) {
				t.Errorf("%s is stored as %q", name, value)
			}
		}
	}
}

// snake turns NoticeDMFailed into Notice_DM_Failed.
func snake(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		starts := unicode.IsUpper(r) && (i+1 < len(letters) && unicode.IsLower(letters[i+1]) || i > 0 && unicode.IsLower(letters[i-1]))
		if i > 0 && starts {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func TestErrorKindsHaveNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for kind := core.ErrorKind(0); kind <= core.Unavailable; kind++ {
		if name := kind.String(); name == "unknown" || seen[name] {
			t.Errorf("kind %d is called %q", kind, name)
		} else {
			seen[name] = true
		}
	}
	if got := fmt.Sprint(core.Unavailable + 1); got != "unknown" {
		t.Errorf("a kind that does not exist is called %q", got)
	}
}

func TestANoticeCanBeTurnedOffOrIsAlwaysSent(t *testing.T) {
	t.Parallel()
	for _, kind := range notify.Kinds {
		if slices.Contains(notify.AllMutableKinds, kind) == slices.Contains(notify.AlwaysSentKinds, kind) {
			t.Errorf("%s is in both of AllMutableKinds and AlwaysSentKinds, or in none", kind)
		}
	}
	for _, kind := range []notify.Kind{notify.NoticeUserBlocked, notify.NoticeOrderRemoved, notify.NoticeOfferRemoved} {
		if (notify.Settings{Muted: []notify.Kind{kind}}).Validate() == nil {
			t.Errorf("%s can be turned off", kind)
		}
	}
	everybody, moderators := notify.MutableKinds(core.AllFeatures(), false), notify.MutableKinds(core.AllFeatures(), true)
	for _, kind := range []notify.Kind{notify.NoticeReportReceived, notify.NoticeDisputeReceived} {
		if slices.Contains(everybody, kind) || !slices.Contains(moderators, kind) {
			t.Errorf("%s is not for moderators alone", kind)
		}
	}
}
