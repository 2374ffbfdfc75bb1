package moderation

import (
	"strings"

	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of moderation. It adds operations about prices and disputes only with those
// features.
func Register(a *kernel.API) {
	o := operations{a}
	kernel.Perform(a, "/api/orders/{id}/report", o.reportOrder, "report-order", "Report a request")
	kernel.Perform(a, "/api/offers/{id}/report", o.reportOffer, "report-offer",
		"Report an offer on your request")
	kernel.Perform(a, "/api/orders/{id}/remove", o.removeOrder, "remove-order",
		"Remove a request, as a moderator")
	kernel.Perform(a, "/api/offers/{id}/remove", o.removeOffer, "remove-offer",
		"Remove an offer, as a moderator")
	registerListings(a, o)
	kernel.Perform(a, "/api/orders/{id}/allow-names", o.allowOrderNames, "allow-order-names",
		"Let a buyer use names that look like an established trader's, as a moderator")
	kernel.Perform(a, "/api/offers/{id}/allow-names", o.allowOfferNames, "allow-offer-names",
		"Let a seller use names that look like an established trader's, as a moderator")
	kernel.Get(a, "/api/moderation/reports", o.listReports, "list-reports", "List open reports")
	kernel.Perform(a, "/api/moderation/reports/{id}/dismiss", o.dismissReport, "dismiss-report",
		"Dismiss a report")
	kernel.Get(a, "/api/moderation/audit", o.listAudit, "list-audit", "List the moderation log")
	kernel.Get(a, "/api/moderation/blocks", o.listBlocks, "list-blocks", "List the users who are blocked")
	kernel.Perform(a, "/api/moderation/blocks", o.blockUser, "block-user", "Block a user from trading")
	kernel.Remove(a, "/api/moderation/blocks/{id}", o.unblockUser, "unblock-user", "Unblock a user")
	registerPublic(a, o)
	a.Programs.Open(token.Read, "get-rules")
	kernel.GetSame(a, "/api/rules", o.getRules, "get-rules",
		"Get what moderators have set for the whole market")
	kernel.Perform(a, "/api/moderation/signed-in-only", o.signedInOnly, "require-sign-in",
		"Have only signed-in sellers offer, on every request")
	kernel.Remove(a, "/api/moderation/signed-in-only", o.visitorsToo, "allow-visitors",
		"Let visitors offer again, too")
	if a.Features.Tokens {
		kernel.Perform(a, "/api/moderation/programs-trade", o.letProgramsTrade, "let-programs-trade",
			"Let programs with a token trade for those who let them")
		kernel.Remove(a, "/api/moderation/programs-trade", o.keepProgramsFromTrading,
			"keep-programs-from-trading", "Keep programs from trading")
	} else {
		a.Amend(func() {
			a.LeaveOut("Rules", "programsTradeSince")
			a.LeaveOutValues("AuditAction",
				func(action string) bool { return strings.HasPrefix(action, "programs_trade_") })
		})
	}
	kernel.Get(a, "/api/moderation/vouches", o.listCandidates, "list-candidates",
		"List people to vouch for while the market is young")
	kernel.Perform(a, "/api/moderation/vouches", o.vouch, "vouch",
		"Vouch for a user: they are an established trader from now on")
	kernel.Get(a, "/api/moderation/reach", o.listReach, "list-reach",
		"List the users because of whom most people were messaged today")
	kernel.Perform(a, "/api/moderation/reach", o.stopReach, "stop-reach",
		"Have what a user does send no messages to others")
	kernel.Remove(a, "/api/moderation/reach/{id}", o.allowReach, "allow-reach",
		"Have what a user does send messages to others again")
	if a.Features.Prices && a.Features.Items {
		kernel.Get(a, "/api/moderation/rings", o.listRings, "list-rings",
			"List proposed rings, and the accounts that are set aside")
		kernel.Perform(a, "/api/moderation/rings", o.setAside, "set-aside",
			"Set the accounts of a proposed ring aside: their trades count for nothing")
		kernel.Remove(a, "/api/moderation/rings/proposals/{id}", o.dismissRing, "dismiss-ring",
			"Decide that a proposed ring is none: the same accounts are not proposed again")
		kernel.Remove(a, "/api/moderation/rings/{id}", o.countAgain, "count-again",
			"Have the trades of a ring count again")
	}
	if a.Features.Handover {
		kernel.Get(a, "/api/moderation/disputes", o.listDisputes, "list-disputes",
			"List handovers whose sides contradict each other")
		kernel.Perform(a, "/api/moderation/disputes/{id}/look", o.lookAtDispute, "look-at-dispute",
			"Say that you look at a dispute: its sides can't change their answers any more")
		kernel.Perform(a, "/api/moderation/disputes/{id}/settle", o.ruleDispute, "settle-dispute",
			"Settle a dispute")
	}
}

// registerListings adds the operations on listings. Without listings they, and the properties that they add
// to others, are not there.
func registerListings(a *kernel.API, o operations) {
	if !a.Features.Listings {
		a.Amend(func() {
			a.LeaveOut("Report", "listingId")
			a.LeaveOut("Report", "listing")
			a.LeaveOut("AuditEntry", "listingId")
			a.LeaveOut("Removed", "listing")
			a.LeaveOutSchema("ReportedListing")
			a.LeaveOutSchema("RemovedListing")
			a.LeaveOutValues("AuditAction",
				func(action string) bool { return strings.HasPrefix(action, "listing_") })
		})
		return
	}
	kernel.Perform(a, "/api/listings/{id}/report", o.reportListing, "report-listing", "Report a listing")
	kernel.Perform(a, "/api/listings/{id}/remove", o.removeListing, "remove-listing",
		"Take a listing off sale, as a moderator")
}
