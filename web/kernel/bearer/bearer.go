// Package bearer has the programs that call the API with a person's token, and what they may do there.
package bearer

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/token"
)

// Program is a program that sent a request, with its owner.
type Program struct {
	User  people.User
	Token token.Found
}

type key struct{}

// With returns the context of a request that a program sent.
func With(ctx context.Context, p *Program) context.Context { return context.WithValue(ctx, key{}, p) }

// Of returns the program that sent a request; nil for a browser.
func Of(ctx context.Context) *Program {
	p, _ := ctx.Value(key{}).(*Program)
	return p
}

// MayRead reports whether a request may be answered from what is the same for everyone. A program needs the
// scope for it.
func MayRead(ctx context.Context) bool {
	p := Of(ctx)
	return p == nil || p.Token.May(token.Read)
}

// Secret returns the token that a request names.
func Secret(r *http.Request) (secret string, named bool) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(secret), strings.EqualFold(scheme, "Bearer")
}

// Scheme is the name of tokens among the ways to sign in.
const Scheme = "token"

// challenge is the header by which a refused program learns why (RFC 6750).
const challenge = `Bearer realm="Tradepost", error="`

// Unknown sets the header of the answer to an unknown token.
func Unknown(h http.Header) { h.Set("WWW-Authenticate", challenge+`invalid_token"`) }

// NotHere returns the error of what no program may do.
func NotHere() error { return core.NewError(core.Forbidden, core.NewText("token_not_here")) }

// Scopes has the scope that each operation needs that programs may use.
type Scopes map[string]token.Scope

// Open opens operations to programs whose token has the scope. An operation that is opened nowhere is for no
// program.
func (s Scopes) Open(scope token.Scope, operations ...string) {
	for _, id := range operations {
		s[id] = scope
	}
}

// Refuse returns the error of an operation that the program behind a request may not use, and sets the header
// that says why; nil for a browser. keyed says that the operation is a write, which a program names.
func (s Scopes) Refuse(h http.Header, r *http.Request, operation string, keyed bool) error {
	p := Of(r.Context())
	if p == nil {
		return nil
	}
	need, known := s[operation]
	switch {
	case !known:
		return NotHere()
	case p.Token.May(need):
	case need == token.Trade && !p.Token.TradeAllowed:
		return core.NewError(core.Forbidden, core.NewText("token_trade_off"))
	default:
		h.Set("WWW-Authenticate", challenge+`insufficient_scope", scope="`+string(need)+`"`)
		return core.NewError(core.Forbidden, core.NewText("token_scope", "scope", string(need)))
	}
	if keyed && r.Header.Get("Idempotency-Key") == "" {
		return core.NewFieldError("Idempotency-Key", core.NewText("token_key_required"))
	}
	return nil
}

// Describe describes how programs use tokens, and says of each operation which scope it needs.
func (s Scopes) Describe(document *huma.OpenAPI) {
	if document.Components.SecuritySchemes == nil {
		document.Components.SecuritySchemes = map[string]*huma.SecurityScheme{}
	}
	document.Components.SecuritySchemes[Scheme] = &huma.SecurityScheme{Type: "http", Scheme: "bearer",
		Description: "A personal token (tp_…), made on the page under Your Data. Each operation names " +
			"the scope that a token needs for it; the others refuse tokens. Every write needs an " +
			"Idempotency-Key."}
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil || s[op.OperationID] == "" {
				continue
			}
			if op.Security == nil {
				op.Security = []map[string][]string{{}} // a browser's session, or none
			}
			op.Security = append(op.Security, map[string][]string{Scheme: {string(s[op.OperationID])}})
		}
	}
}
