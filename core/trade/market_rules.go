package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// MarketRules are the moderators' settings for the whole market.
type MarketRules struct {
	// SignedInOnlySince is since when only signed-in sellers may offer; zero while visitors may, too.
	SignedInOnlySince time.Time
}

// SignedInOnly reports whether only signed-in sellers may offer.
func (r MarketRules) SignedInOnly() bool { return !r.SignedInOnlySince.IsZero() }

// CodeSignIn is the code of an Error that signing in solves.
const CodeSignIn = "sign-in"

// mayTakeVisitors returns an error when the market takes no offers of visitors.
func (r MarketRules) mayTakeVisitors() error {
	if !r.SignedInOnly() {
		return nil
	}
	err := core.NewError(core.Unauthenticated,
		core.NewText("market_signed_in_only",
			"Only signed-in sellers can offer right now. Sign in with Discord to send your offer."))
	err.Code = CodeSignIn
	return err
}

// SetSignedInOnly returns the rules after a moderator turns the rule on or off, and the entry in the log. It
// fails with Unauthenticated, Forbidden, Conflict when it is so already, and Invalid without a reason to
// turn it on.
func (r MarketRules) SetSignedInOnly(
	by core.Actor, on bool, reason string, forms core.TextForms, now time.Time,
) (MarketRules, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return r, core.AuditEntry{}, err
	}
	entry := core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditSignedInOnlyOff}
	switch {
	case on && r.SignedInOnly():
		return r, core.AuditEntry{}, core.NewError(core.Conflict,
			core.NewText("signed_in_only_already", "Only signed-in sellers can offer already"))
	case !on && !r.SignedInOnly():
		return r, core.AuditEntry{}, core.NewError(core.Conflict,
			core.NewText("visitors_already", "Visitors can offer already"))
	case !on:
		r.SignedInOnlySince = time.Time{}
		return r, entry, nil
	}
	var err error
	entry.Action = core.AuditSignedInOnlyOn
	if entry.Reason, err = forms.Reason(reason); err != nil {
		return r, core.AuditEntry{}, err
	}
	r.SignedInOnlySince = now
	return r, entry, nil
}

// MarketRules returns the moderators' settings for the whole market.
func (m *orderActs) MarketRules(ctx context.Context) (MarketRules, error) {
	rules, err := m.store.MarketRules(ctx)
	if err != nil {
		return MarketRules{}, fmt.Errorf("market rules: %w", err)
	}
	return rules, nil
}

// SetSignedInOnly has only signed-in sellers offer on every request, or visitors again, too. It applies to
// every replica from its commit on; offers that visitors have sent stay open. It returns the same errors as
// MarketRules.SetSignedInOnly.
func (m *orderActs) SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set signed-in only", []any{on, reason},
		func(tx Tx, now time.Time) (struct{}, error) {
			rules, err := tx.LockMarketRules(ctx)
			if err != nil {
				return struct{}{}, fmt.Errorf("lock market rules: %w", err)
			}
			rules, entry, err := rules.SetSignedInOnly(actor, on, reason, m.forms, now)
			if err != nil {
				return struct{}{}, err
			}
			if err := tx.SaveMarketRules(ctx, rules); err != nil {
				return struct{}{}, fmt.Errorf("save market rules: %w", err)
			}
			return struct{}{}, tx.AddAuditEntry(ctx, entry)
		})
	return err
}
