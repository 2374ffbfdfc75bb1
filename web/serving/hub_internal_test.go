package serving

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tradepost/core"
)

// A smoke form of what many open boards cost: what is counted is what is made for all of them together.
func TestChangesAreGatheredDescribedAndWrittenOnceForEveryBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const boards, posts = 5000, 100
		h := NewHub()
		described := 0
		h.describeWith(func(_ context.Context, c core.Change) changeView {
			described++
			return changeView{Orders: c.Orders}
		})
		all := make([]*subscriber, boards)
		for i := range all {
			var err error
			if all[i], _, err = h.subscribe(1, fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		for i := range posts { // 50 a second
			h.Publish(core.Change{Orders: []core.OrderID{core.OrderID(i + 1)}, Users: []core.UserID{7}})
			synctest.Wait()
			if i == 0 && len(all[0].events) != 1 {
				t.Error("the first change after a pause waits")
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		sent := len(all[0].events)
		if sent > 9 || described != sent { // four a second for two seconds, and the first one
			t.Errorf("%d posts are %d events a board and were described %d times, want 9 at most of both", posts, sent, described)
		}
		heard := map[core.OrderID]int{}
		for range sent {
			first := <-all[0].events
			for _, s := range all[1:] {
				if <-s.events != first {
					t.Fatal("two boards have events of their own")
				}
			}
			if !bytes.Contains(first.dataFor(7), []byte(`"mine":true`)) || !bytes.Contains(first.dataFor(8), []byte(`"mine":false`)) {
				t.Errorf("heard %s and %s", first.dataFor(7), first.dataFor(8))
			}
			for _, id := range first.Orders {
				heard[id]++
			}
		}
		for id := core.OrderID(1); id <= posts; id++ {
			if heard[id] != 1 {
				t.Errorf("request %d was heard of %d times", id, heard[id])
			}
		}
	})
}

func TestAnEventOfTooManyChangesIsAResync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		s, _, err := h.subscribe(1, "")
		if err != nil {
			t.Fatal(err)
		}
		h.pause = func(int) time.Duration { return time.Second }
		h.sentAt = time.Now()
		for range 3 {
			h.Publish(core.Change{Orders: make([]core.OrderID, maxGathered/2)})
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if e := <-s.events; !e.Resync || len(e.Orders) != 0 || len(s.events) != 0 {
			t.Errorf("heard %+v", e)
		}
	})
}
