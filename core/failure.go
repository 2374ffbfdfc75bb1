package core

// Failure is an error on our side. Unlike an Error it says nothing about the request.
type Failure struct {
	Message string // one sentence, safe to show
	cause   error
}

// Error is the full text, for the log. Users see Message.
func (f *Failure) Error() string { return f.Message + ": " + f.cause.Error() }

func (f *Failure) Unwrap() error { return f.cause }

// WithMessage adds the message for users to an internal error. An Error is returned as it is.
func WithMessage(sentence string, err error) error {
	if err == nil || sentence == "" || KindOf(err) != 0 {
		return err
	}
	return &Failure{Message: sentence, cause: err}
}

// writeFailed maps an operation's name to the message for a write that failed.
var writeFailed = map[string]string{
	"post order":   "Failed to create order",
	"edit order":   "Failed to update order",
	"renew order":  "Failed to update order",
	"close order":  "Failed to close order",
	"delete order": "Failed to delete order: " + tryAgain,
	"send offer":   "Failed to create offer",
	"accept offer": "Failed to update offer quantity",
	"delete offer": "Failed to delete offer: " + tryAgain,
	"log sale":     "Failed to add order update",

	"withdraw linked offer": "Failed to delete offer: " + tryAgain,

	"undo sale":  "Failed to undo. Please try again.",
	"undo offer": "Failed to undo. Please try again.",
	"undo close": "Failed to undo. Please try again.",
}

// Messages for reads that failed.
const (
	FailedOrders    = "Failed to fetch orders"
	FailedOwnOrders = "Failed to fetch user orders"
	FailedOrder     = "Failed to fetch order"
	FailedOffers    = "Failed to fetch offers"
	FailedSales     = "Failed to fetch order updates"
	tryAgain        = "Something went wrong on our side. Please try again."
)
