package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// TokenView is the JSON shape of a token, without its secret.
type TokenView struct {
	ID        core.TokenID  `json:"id" example:"4"`
	Name      string        `json:"name" doc:"Of the program" example:"Restock bot"`
	Scopes    []token.Scope `json:"scopes" doc:"What it may do"`
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt time.Time     `json:"expiresAt"`
	UsedAt    *time.Time    `json:"usedAt" doc:"When it was last used, to the hour; null for never"`
}

// ViewToken returns the shape of a token.
func ViewToken(t token.Token) TokenView {
	return TokenView{ID: t.ID, Name: t.Name, Scopes: t.Scopes, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
		UsedAt: kernel.TimeOrNil(t.UsedAt)}
}

type tokensView struct {
	Tokens       []TokenView `json:"tokens" doc:"The newest first"`
	TradeAllowed bool        `json:"tradeAllowed" doc:"Whether moderators let programs trade. While they don't, the scope trade does nothing"`
	Most         int         `json:"most" doc:"How many a person can have" example:"10"`
}

func (a operations) listTokens(ctx context.Context, in *kernel.Caller) (*kernel.Answer[tokensView], error) {
	tokens, err := a.Market.Tokens(ctx, in.By)
	if err != nil {
		return nil, err
	}
	rules, err := a.Market.Trade.MarketRules(ctx)
	if err != nil {
		return nil, err
	}
	view := tokensView{Tokens: []TokenView{}, Most: core.MaxTokens, TradeAllowed: rules.ProgramsTrade()}
	for _, t := range tokens {
		view.Tokens = append(view.Tokens, ViewToken(t))
	}
	return &kernel.Answer[tokensView]{Body: view}, nil
}

type tokenDraft struct {
	Name   string        `json:"name" maxLength:"50" doc:"Of the program" example:"Restock bot"`
	Scopes []token.Scope `json:"scopes" doc:"What it may do"`
	Days   int           `json:"days" enum:"30,90,365" doc:"How long it lasts" example:"90"`
}

type makeTokenInput struct {
	kernel.Keyed
	Body kernel.Sent[tokenDraft]
}

type madeTokenView struct {
	Token  TokenView `json:"token" doc:"The token, as lists show it"`
	Secret *string   `json:"secret" doc:"The token itself. It is shown only this once; null in the answer to a repeat" example:"tp_9vX2mQ7cR4tLk8WzYb1NdE5sHg3JpA0kZq1B"`
}

func (a operations) makeToken(
	ctx context.Context, in *makeTokenInput,
) (*kernel.Answer[madeTokenView], error) {
	d := in.Body.Fields
	made, secret, err := a.Market.MakeToken(ctx, in.By,
		token.Draft{Name: d.Name, Scopes: d.Scopes, Days: d.Days})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[madeTokenView]{Body: madeTokenView{ViewToken(made), kernel.TextOrNil(secret)}}, nil
}

type endTokenInput struct {
	kernel.Keyed
	ID core.TokenID `path:"id" doc:"The token's id" example:"4"`
}

func (a operations) endToken(ctx context.Context, in *endTokenInput) error {
	return a.Market.EndToken(ctx, in.By, in.ID)
}

// registerTokens adds the operations of tokens, which are for browsers alone. Without tokens they, and what
// they add to other answers, are not there.
func registerTokens(a *kernel.API, o operations) {
	if !a.Features.Tokens {
		a.Amend(func() {
			a.LeaveOutValues("NoticeKind",
				func(kind string) bool { return kind == string(notify.NoticeTokenMade) })
			a.LeaveOut("MyData", "tokens")
			for _, schema := range []string{"Order", "OrderDraft", "OrderEdit", "ListDraft", "PublicOrder"} {
				a.LeaveOut(schema, "noPrograms")
			}
			a.LeaveOutSchema("Scope")
			a.LeaveOutSchema("Token")
		})
		return
	}
	kernel.Get(a, "/api/me/tokens", o.listTokens, "list-tokens", "List the tokens of your programs")
	kernel.Create(a, "/api/me/tokens", o.makeToken, "make-token",
		"Make a token, with which a program acts for you")
	kernel.Remove(a, "/api/me/tokens/{id}", o.endToken, "end-token", "End a token")
}
