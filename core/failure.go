package core

// Failure is something that went wrong on our side. Unlike an Error it says nothing about what was asked.
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

// What is said when a write could not be done, by the operation's name.
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

// What is said when something could not be read.
const (
	FailedOrders    = "Failed to fetch orders"
	FailedOwnOrders = "Failed to fetch user orders"
	FailedOrder     = "Failed to fetch order"
	FailedOffers    = "Failed to fetch offers"
	FailedSales     = "Failed to fetch order updates"
	tryAgain        = "Something went wrong on our side. Please try again."
)
