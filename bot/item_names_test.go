package bot_test

import (
	"testing"

	"tradepost/core/coretest"
	"tradepost/core/trade"
)

func TestAModeratorDecidesOnNewNamesInDiscord(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name\nSturdy Hickory Log\nMoon Pearl\n")
	for _, name := range []string{"Sturdy Hikory Log", "Lunar Pearl", "Star Dust", "qwertz"} {
		for n, buyer := range []string{"maple", "maple", "rowan.ashdown"} {
			draft := coretest.OrderDraft(func(d *trade.OrderDraft) { d.ItemName, d.Quantity = name, n+1 })
			if _, err := w.market.Trade.PostOrder(t.Context(), w.actor(buyer), draft); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.bot = w.start()
	w.WaitForBot(t)
	mod := w.Player(t, moderator)
	list := mod.Slash("moderate names")
	wants(t, "the names", list.View, "Sturdy Hikory Log", "3 requests in 30 days", "looks like **Sturdy Hickory Log**", "Star Dust")
	merged := list.Button("Merge into Sturdy Hickory Log").Press()
	wants(t, "the merge", merged.View, "**Sturdy Hikory Log** now means **Sturdy Hickory Log**.", "Lunar Pearl")
	wants(t, "a decision that was made", mod.ForgePress(list.View, "1|ignore-name|3|0").View, "already decided on this name", "Lunar Pearl")
	confirmed := merged.Button("Confirm Star Dust").Press()
	wants(t, "the confirmation", confirmed.View, "**Star Dust** is in the catalogue now.")
	ignored := confirmed.Button("Ignore qwertz").Press()
	wants(t, "what is ignored", ignored.View, "**qwertz** isn't an item.")
	name := mod.Pick("moderate merge", "name", "Lunar")
	found := mod.Slash("moderate merge", name, mod.Pick("moderate merge", "into", "Moon"))
	wants(t, "merging into a found item", found.View, "**Lunar Pearl** now means **Moon Pearl**.")
	wants(t, "the list", mod.Slash("moderate names").View, "No new names are waiting.")
	wants(t, "the log", mod.Slash("moderate log").View, "merged the item Lunar Pearl into Moon Pearl", "ignored the name qwertz", "confirmed the item Star Dust")
	undone := mod.Slash("moderate log").Button("Undo: qwertz").Press()
	wants(t, "the undo", undone.View, "Undone.", "undid the decision on the name qwertz")
	undone.Button("Undo: Lunar Pearl").Press()
	again := mod.Slash("moderate names")
	wants(t, "the names that wait again", again.View, "qwertz", "Lunar Pearl")
	all := again.Button("Ignore All of These").Press()
	wants(t, "all at once", all.View, "2 names ignored. Users can still post requests for them.", "No new names are waiting.")
}
