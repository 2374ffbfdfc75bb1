package bot_test

import (
	"testing"
)

func TestTheFirstRequestCanBePostedByAForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	mine := w.Player(t, "maple").Slash("request mine")
	wants(t, "an empty list", mine.View, "No requests posted yet")
	form := mine.Button("Post Your First Request").Press().Modal
	if form.Title != "Post New Request" {
		t.Errorf("the form's title is %q", form.Title)
	}
	preview := form.Submit(map[string]string{
		"Category": "Carpenter", "Item": "Rope", "Quantity": "12", "Max price per unit": "3g", "Description": "long ones",
	})
	wants(t, "the preview", preview.View, "Nothing is posted yet", "Rope", "12 of 12 left", "long ones", "Carpenter")
	wants(t, "the card", preview.Button("Post").Press().View, "Your request is posted", "Your Request")
}
