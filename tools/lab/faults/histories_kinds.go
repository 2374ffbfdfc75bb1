//go:build unix

package main

// inHistories names the writes of the core that make histories plays, each with the op that asks for it.
var inHistories = map[string]string{
	"post order": string(opPost), "post list": string(opPostList), "edit order": string(opEdit),
	"renew order": string(opRenew),
	"close order": string(opClose), "undo close": string(opUndoClose), "delete order": string(opDelete),
	"send offer": string(opOffer), "offer on list": string(opOfferOnList), "delete offer": string(opDecline),
	"withdraw linked offer": string(opLinked), "undo offer": string(opUndoOffer),
	"accept offer": string(opAccept), "log sale": string(opSell), "undo sale": string(opUndoSale),
	"set standing acceptance": string(opSetStanding), "end standing acceptance": string(opEndStanding),
	"set least record": string(opSetLeast), "block seller": string(opBlockSeller),
	"unblock seller": string(opUnblockSeller),
	"say handovers":  string(opSay), "take back words": string(opTakeBack), "agree handover": string(opAgree),
	"look at dispute": string(opLook), "rule dispute": string(opSettle),
	"report order": string(opReport), "report offer": string(opReportOffer),
	"remove order": string(opRemoveOrder), "remove offer": string(opRemoveOffer),
	"undo removal": string(opUndoRemoval),
	"block user":   string(opBlockUser), "unblock user": string(opUnblockUser), "vouch": string(opVouch),
	"stop reach": string(opStopReach), "allow reach": string(opAllowReach),
	"set in-game name": string(opName), "set language": string(opLanguage), "set skills": string(opSkills),
	"notice settings": string(opSettings), "test notice": string(opTest),
	"save stock": string(opPutStock), "alert stock": string(opStockAlert), "confirm stock": string(opConfirm),
	"delete stock": string(opDeleteStock), "add search": string(opAddSearch),
	"edit search":   string(opEditSearch),
	"delete search": string(opEndSearch), "add watch": string(opWatch), "edit watch": string(opEditWatch),
	"pause watch": string(opPauseWatch), "snooze watch": string(opSnoozeWatch),
	"delete watch": string(opUnwatch),
}

// notInHistories names the writes that make histories leaves out, with the reason: the program has every
// feature but threads in them. make schedules plays each of these writes against others.
var notInHistories = map[string]string{
	"give bell":          "gives the search another number, which histories find it by",
	"mute buyer":         "starts from an alert, which arrives minutes after its request",
	"unmute buyer":       "of a buyer who was muted from an alert",
	"snooze stock":       "starts from an alert",
	"stop stock":         "starts from an alert",
	"postpone handovers": "of a side that was asked, which is days after the accept",
	"set meeting place":  "about all that is open between two people, not about one request",
	"accept meeting":     "about when two people play, not about one request",
	"choose meeting":     "about when two people play",
	"propose meeting":    "about when two people play",
	"save play hours":    "about when two people play",
	"learn play hours":   "about when two people play",
	"erase play hours":   "about when two people play",
	"decide item":        "changes what a name means in every request; playRules compares it beside every fault",
	"decide report":      "a report has one decision, after which it is gone",
	"dismiss report":     "a report has one decision, after which it is gone",
	"set aside":          "of people who are proposed as a ring, which takes weeks of trades",
	"dismiss ring":       "of people who are proposed as a ring",
	"count again":        "of people who were set aside",
	"set signed-in only": "refuses the offers of visitors in all requests at once",
	"allow order names":  "of a name that looks like an established trader's, whom the market learns once a minute",
	"report listing":     "of listings, which no history has",
	"remove listing":     "of listings, which no history has",
	"ask for listing":    "between two people alone; the scenes of crossing have listings and requests that stand",
	"answer ask":         "of an ask for a listing",
	"post plan":          "of listings of several sellers, which no history has; the scenes of crossing post one each",
	"set programs trade": "about the programs of all users at once",
	"make token":         "of one user alone, about no request",
	"end token":          "of one user alone, about no request",

	"make webhook":           "of one user alone, about no request",
	"replace webhook secret": "of one user alone, about no request",
	"switch webhook on":      "of one user alone, about no request",
	"send webhook again":     "of one user alone, about no request",
	"end webhook":            "of one user alone, about no request",

	"allow offer names": "of a name that looks like an established trader's",
}
