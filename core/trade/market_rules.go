package trade

import (
	"time"

	"tradepost/core"
)

// MarketRules are the moderators' settings for the whole market.
type MarketRules struct {
	// SignedInOnlySince is since when only signed-in sellers may offer; zero while visitors may, too.
	SignedInOnlySince time.Time
	// ProgramsTradeSince is the time since which tokens with the scope trade work; zero while they don't.
	ProgramsTradeSince time.Time
}

// SignedInOnly reports whether only signed-in sellers may offer.
func (r MarketRules) SignedInOnly() bool { return !r.SignedInOnlySince.IsZero() }

// ProgramsTrade reports whether programs may trade for those who let them.
func (r MarketRules) ProgramsTrade() bool { return !r.ProgramsTradeSince.IsZero() }

// mayTakeVisitors returns an error when the market takes no offers of visitors.
func (r MarketRules) mayTakeVisitors() error {
	if !r.SignedInOnly() {
		return nil
	}
	err := core.NewError(core.Unauthenticated, core.NewText("market_signed_in_only"))
	err.Code = core.CodeSignIn
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
		return r, core.AuditEntry{}, core.NewError(core.Conflict, core.NewText("signed_in_only_already"))
	case !on && !r.SignedInOnly():
		return r, core.AuditEntry{}, core.NewError(core.Conflict, core.NewText("visitors_already"))
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

// SetProgramsTrade returns the rules after a moderator lets programs trade, or no longer, and the entry in
// the log. It fails with Unauthenticated, Forbidden, and Conflict when it is so already.
func (r MarketRules) SetProgramsTrade(
	by core.Actor, on bool, now time.Time,
) (MarketRules, core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return r, core.AuditEntry{}, err
	}
	switch {
	case on && r.ProgramsTrade():
		return r, core.AuditEntry{}, core.NewError(core.Conflict, core.NewText("programs_trade_already"))
	case !on && !r.ProgramsTrade():
		return r, core.AuditEntry{}, core.NewError(core.Conflict, core.NewText("programs_trade_not"))
	}
	entry := core.AuditEntry{At: now, Moderator: by.UserID, Action: core.AuditProgramsTradeOff}
	r.ProgramsTradeSince = time.Time{}
	if on {
		entry.Action, r.ProgramsTradeSince = core.AuditProgramsTradeOn, now
	}
	return r, entry, nil
}
