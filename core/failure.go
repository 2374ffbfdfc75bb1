package core

// Failure is something that went wrong on our side. Unlike an Error it says nothing about what was asked.
type Failure struct {
	Message string // one sentence, safe to show
	cause   error
}

// Error tells all there is to know, for the log. People are shown Message.
func (f *Failure) Error() string { return f.Message + ": " + f.cause.Error() }

func (f *Failure) Unwrap() error { return f.cause }

// failing gives an error of ours its sentence. A refusal is none of ours, and an empty sentence changes nothing.
func failing(sentence string, err error) error {
	if err == nil || sentence == "" || KindOf(err) != 0 {
		return err
	}
	return &Failure{Message: sentence, cause: err}
}

// What is said when a write could not be done, by the operation's name.
var failures = map[string]string{
	"post order":   "Failed to create order",
	"edit order":   "Failed to update order",
	"renew order":  "Failed to update order",
	"close order":  "Failed to close order",
	"delete order": "Failed to delete order: " + tryAgain,
	"send offer":   "Failed to create offer",
	"accept offer": "Failed to update offer quantity",
	"delete offer": "Failed to delete offer: " + tryAgain,
	"log sale":     "Failed to add order update",
}

// What is said when something could not be read.
const (
	failedOrders    = "Failed to fetch orders"
	failedOwnOrders = "Failed to fetch user orders"
	failedOrder     = "Failed to fetch order"
	failedOffers    = "Failed to fetch offers"
	failedSales     = "Failed to fetch order updates"
	tryAgain        = "Something went wrong on our side. Please try again."
)
