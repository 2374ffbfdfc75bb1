package postgres_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/trade"
)

// TestAnOlderProgramLeavesSharedBoardPostsAlone asks as a program from before shared messages does: it would send each post in
// a message of its own, or draw one request over all that share a message.
func TestAnOlderProgramLeavesSharedBoardPostsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.Store.SaveBoard(t.Context(), channels.Board{ChannelID: "c", GuildID: "g", CreatedBy: w.Bob.UserID, CreatedAt: w.Clock.Now()}))
	start := func() {
		must(t, w.Store.StartBoardPost(t.Context(), "c", w.Post(w.Ann), false, w.Clock.Now()))
	}
	for range 3 {
		start()
	}
	seenByOlder := func() int {
		return w.Value("select count(*) from board_posts where channel_id = 'c' and not finished")
	}
	stale := func() (own, shared int) {
		t.Helper()
		posts, err := w.Store.StaleBoardPosts(t.Context(), "c", channels.HeldEdits{}, w.Clock.Now(), 10)
		must(t, err)
		for _, p := range posts {
			if p.MessageOf == 0 {
				own++
			} else {
				shared++
			}
		}
		return own, shared
	}
	if own, shared := stale(); own != 1 || shared != 2 || seenByOlder() != 1 {
		t.Errorf("%d and %d shared are to be shown; an older program sees %d", own, shared, seenByOlder())
	}
	posts, err := w.Store.StaleBoardPosts(t.Context(), "c", channels.HeldEdits{}, w.Clock.Now(), 10)
	must(t, err)
	together, err := w.Store.SharedBoardPosts(t.Context(), posts[1].ID)
	must(t, err)
	if len(together) != 2 || together[0].ID != posts[1].ID || together[1].MessageOf != posts[1].ID {
		t.Errorf("together: %+v", together)
	}
	together[0].MessageID = "1"
	must(t, w.Store.SaveBoardPost(t.Context(), together[0])) // shown in no version yet
	together[1].MessageID, together[1].Finished = "1", true
	must(t, w.Store.SaveBoardPost(t.Context(), together[1]))
	if own, shared := stale(); own != 1 || shared != 1 || seenByOlder() != 1 {
		t.Errorf("%d and %d shared are left; an older program sees %d", own, shared, seenByOlder())
	}

	w.Clock.Forward(11 * 24 * time.Hour)
	w.Retain(core.Retention{BoardPosts: 10 * 24 * time.Hour})
	if left := w.Value("select count(*) from board_posts"); left != 2 { // the one that has ended is removed
		t.Errorf("%d posts are left", left)
	}
	start()
	if own, _ := stale(); own != 2 {
		t.Errorf("%d posts have a message of their own, a minute later", own)
	}
	must(t, w.SQL("delete from users where id = $1", w.Ann.UserID))
	if named, left := w.Value("select count(user_id) from board_posts"), w.Value("select count(*) from board_posts"); named != 0 || left != 3 {
		t.Errorf("after the buyer has left, %d of %d posts name them", named, left)
	}
}

// TestAPostThatDrawsAnEndWhileItsRequestReturnsIsNotFinished reads posts, lets their requests be removed and come back, and only
// then stores that their end is shown, as a program does that waits for Discord meanwhile.
func TestAPostThatDrawsAnEndWhileItsRequestReturnsIsNotFinished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	must(t, w.Store.SaveBoard(t.Context(), channels.Board{ChannelID: "c", GuildID: "g", CreatedBy: w.Bob.UserID, CreatedAt: w.Clock.Now()}))
	stale := func() []channels.BoardPost {
		t.Helper()
		posts, err := w.Store.StaleBoardPosts(t.Context(), "c", channels.HeldEdits{}, w.Clock.Now(), 10)
		must(t, err)
		return posts
	}
	orders := []trade.Order{w.Post(w.Ann), w.Post(w.Ann), w.Post(w.Ann)}
	for _, o := range orders {
		must(t, w.Store.StartBoardPost(t.Context(), "c", o, false, w.Clock.Now()))
	}
	for _, p := range stale() {
		p.MessageID, p.ShownVersion, p.ShownOpen = "1", orders[0].Version, true
		must(t, w.Store.SaveBoardPost(t.Context(), p))
	}
	for _, o := range orders {
		must(t, w.Moderation.RemoveOrder(t.Context(), mod, o.ID, "No such item"))
	}
	read := stale()
	entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
	must(t, err)
	for _, e := range entries {
		must(t, w.UndoRemoval(t.Context(), mod, e.ID))
	}
	for _, p := range read {
		p.ShownOpen, p.Finished = false, true
		must(t, w.Store.SaveBoardPost(t.Context(), p))
	}
	if again := stale(); len(read) != 3 || len(again) != 3 {
		t.Errorf("of %d posts that show an end, %d are drawn again", len(read), len(again))
	}
}
