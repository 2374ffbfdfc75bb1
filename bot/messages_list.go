package bot

// The sentences of the catalogue.
const (
	// Trouble.
	msgOutdated msg = iota
	msgSlowForm
	msgTooSlow
	msgOurFault
	msgHintInvalid
	msgHintGone
	msgHintConflict
	msgHintForbidden
	msgHintLater
	msgHintLaterAt

	// Cards and lists of requests.
	msgYourRequest
	msgCardPrice
	msgCardTotal
	msgCardRemaining
	msgCardLeft
	msgCardCategory
	msgCardContact
	msgCardPosted
	msgCardFooter
	msgLeftOf
	msgCardSold
	msgSoldOf
	msgAnyLevel
	msgLevelFrom
	msgInGame
	msgClosedEarly
	msgCompleted
	msgFulfilled
	msgExpired
	msgSignedInOnly
	msgOrderLabel
	msgOrderLabelDone
	msgOpenWeb
	msgAllRequests
	msgShowing
	msgNoRequests
	msgNoRequestsHint
	msgPickOrder
	msgPickCategory
	msgPickSort
	msgAllCategories
	msgCategoryCount
	msgSortNewest
	msgSortPrice
	msgSortTotal
	msgSortEnding
	msgPage
	msgMyRequests
	msgCompletedTab
	msgExpiredTab
	msgNoOwnRequests
	msgPostFirst
	msgNoCompleted
	msgNoExpired

	// Finding what was meant.
	msgNoOpenOrder
	msgNoOwnOrder
	msgWhichOrder
	msgNoSuchOffer
	msgNoSentOffer
	msgWhichOffer
	msgPick

	// Posting and editing.
	msgPreview
	msgPost
	msgEdit
	msgDetails
	msgCancel
	msgPosted
	msgDropped
	msgEditTitle
	msgDetailsTitle
	msgFieldItem
	msgFieldQuantity
	msgFieldPrice
	msgFieldDescription
	msgFieldCategory
	msgFieldImportance
	msgFieldLevel
	msgFieldContact
	msgFieldInGame
	msgHintQuantity
	msgHintPrice
	msgHintDescription
	msgHintLevel
	msgHintContact
	msgEditWhat
	msgEdited
	msgEditAgain
	msgDetailsAgain

	// An owner's menu.
	msgViewOffers
	msgUpdateSales
	msgRenew
	msgMenu
	msgMenuEdit
	msgMenuDetails
	msgMenuSignedInOnly
	msgMenuEverybody
	msgMenuHistory
	msgMenuRenew
	msgMenuClose
	msgMenuDelete
	msgCloseTitle
	msgCloseAsk
	msgDeleteTitle
	msgDeleteAsk
	msgKeep
	msgClosed
	msgDeleted
	msgRenewed
	msgBackToRequest
	msgBack

	// Sending offers.
	msgOfferToFulfill
	msgHintOffer
	msgFieldMessage
	msgHintMessage
	msgFieldYourName
	msgOfferSent
	msgOfferReplaced
	msgWithdraw
	msgWithdrawn
	msgNoSentOffers
	msgSentTitle
	msgSentAccepted
	msgPickWithdraw
	msgNewest
	msgOlder
	msgStateOpen
	msgStateAccepted
	msgStateDeclined
	msgStateWithdrawn
	msgStateLapsed
	msgStateReplaced
	msgStateRemoved

	// Answering offers.
	msgOffersTitle
	msgOfferCount
	msgNoOffers
	msgPickOffer
	msgOfferFrom
	msgOfferTitle
	msgOfferSeller
	msgOfferPays
	msgEach
	msgPriceNow
	msgVerified
	msgUnverified
	msgAcceptAll
	msgAcceptSome
	msgAcceptPart
	msgAcceptTitle
	msgHintUpTo
	msgDecline
	msgOfferAccepted
	msgNextSteps
	msgDeclined
	msgDeclinedTold

	// Sales.
	msgSalesTitle
	msgFieldSold
	msgFieldNotes
	msgSold
	msgSoldOut
	msgSalesOf
	msgSalesSum
	msgNoSales
	msgSaleLine
	msgMoreSales

	// Direct messages.
	// Reports and moderation.
	msgReport
	msgReportTitle
	msgHintReport
	msgFieldReason
	msgReported
	msgNoReports
	msgReportsTitle
	msgPickReport
	msgReportOrder
	msgReportOffer
	msgReportedBy
	msgAVisitor
	msgSomebodyGone
	msgReportedGone
	msgReportSettled
	msgRemoveOrder
	msgRemoveOffer
	msgBlockUser
	msgBlockBuyer
	msgDismiss
	msgDismissed
	msgRemoveOrderTitle
	msgRemoveOfferTitle
	msgBlockTitle
	msgHintRemove
	msgHintBlock
	msgOrderRemoved
	msgOfferRemoved
	msgUserBlocked
	msgUserUnblocked
	msgNotBlocked
	msgNobodyBlocked
	msgBlockedTitle
	msgAuditTitle
	msgNothingDone
	msgAuditOrder
	msgAuditOffer
	msgAuditBlock
	msgAuditUnblock
	msgAuditDismiss
	msgBlockSeller
	msgSellerBlocked
	msgSellerUnblocked
	msgSellerNotBlocked

	msgStopThese
	msgNewOffer
	msgNewOffers
	msgOneOfferLeft
	msgOffersDMTitle
	msgOffersGone
	msgTaken
	msgTakenQuantity
	msgTakenCoins
	msgTakenContact
	msgRefused
	msgTakenBack
	msgLapsed
	msgSeeOthers
	msgSeeOffers
	msgFilledDM
	msgFilledSold
	msgExpiring
	msgOrderRemovedDM
	msgOfferRemovedDM
	msgBlockedDM
	msgReasonGiven
	msgTestDM

	// Boards.
	msgBoardAll
	msgBoardCategory
	msgBoardRemoved
	msgBoardDeleted
	msgBoardTrouble

	// Settings of direct messages.
	msgSettingsTitle
	msgSettings
	msgSettingsClosed
	msgSettingsSaved
	msgKindsNone
	msgKindReceived
	msgKindTaken
	msgKindRefused
	msgKindTakenBack
	msgKindLapsed
	msgKindFilled
	msgKindExpiring
	msgNoQuiet
	msgQuiet
	msgQuietButton
	msgQuietTitle
	msgFieldFrom
	msgFieldTo
	msgFieldZone
	msgHintClock
	msgHintZone
	msgTestButton
	msgTestSent

	// What is kept about somebody.
	msgDataTitle
	msgDataKept
	msgDataEmail
	msgDataNoEmail
	msgDataRows
	msgDataFile
	msgDataDownload
	msgLeaveTitle
	msgLeaveAsk
	msgLeaveYes
	msgLeaveNo
	msgLeft
	msgStayed

	msgCount
)
