package bot_test

import (
	"testing"
)

func TestTheFirstRequestCanBePostedByAForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	mine := w.Player(t, "maple").Slash("request mine")
	wants(t, "an empty list", mine.View, "No requests posted yet")
	preview := mine.Button("Post Your First Request").Press().Modal.Submit(map[string]string{
		"Item": "Rope", "Quantity": "12", "Max price for one": "3g", "Description": "long ones",
	})
	wants(t, "the preview", preview.View, "Nothing is posted yet", "Rope", "12 of 12 left", "long ones")
	wants(t, "the card", preview.Button("Post").Press().View, "Your request is posted", "Your Request")
}
