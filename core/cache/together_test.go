package cache_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

// together has four entries that are read together: each gets its place and the number of the read.
type together struct {
	cache   *cache.Cache
	entries []*cache.Entry[int]
	reads   [][]int
	wait    chan struct{}
	err     error
}

func newTogether() *together {
	f := &together{cache: cache.New(nil)}
	f.cache.UpToDate(time.Now())
	for range 4 {
		f.entries = append(f.entries, cache.NewEntry[int](f.cache, cache.Orders))
	}
	return f
}

func (f *together) get(ctx context.Context, entries ...int) ([]int, error) {
	var some []*cache.Entry[int]
	for _, i := range entries {
		some = append(some, f.entries[i])
	}
	return cache.GetAll(ctx, time.Now(), some,
		func(_ context.Context, places []int) ([]cache.Loaded[int], error) {
			f.reads = append(f.reads, places)
			read := len(f.reads)
			if f.wait != nil {
				<-f.wait
			}
			if f.err != nil {
				return nil, f.err
			}
			var loaded []cache.Loaded[int]
			for _, i := range places {
				loaded = append(loaded, cache.Loaded[int]{Value: 10*read + entries[i]})
			}
			return loaded, nil
		})
}

func (f *together) wants(t *testing.T, want []int, entries ...int) {
	t.Helper()
	if got, err := f.get(t.Context(), entries...); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestWhatIsNotFreshIsReadTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newTogether()
		f.wants(t, []int{11}, 1)
		f.wants(t, []int{20, 11, 22, 20}, 0, 1, 2, 0) // an entry may be asked for twice
		f.wants(t, []int{22, 20}, 2, 0)
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		f.wants(t, []int{33, 30}, 3, 0)
		if len(f.reads) != 3 || !slices.Equal(f.reads[1], []int{0, 2}) {
			t.Errorf("the reads were %v", f.reads)
		}
	})
}

func TestWhatChangesWhileItIsReadTogetherIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newTogether()
		f.wait = make(chan struct{})
		go func() { _, _ = f.get(t.Context(), 0, 1) }()
		synctest.Wait()
		f.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		close(f.wait)
		synctest.Wait()
		f.wants(t, []int{20}, 0)
	})
}

func TestReadersOfTheSameEntriesWaitForOneRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newTogether()
		f.wait = make(chan struct{})
		hurried, stop := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() {
			_, err := f.get(hurried, 0, 1)
			stopped <- err
		}()
		synctest.Wait()
		stop()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("who stops waiting gets %v", err)
		}
		done := make(chan []int)
		go func() {
			got, _ := f.get(t.Context(), 1, 2)
			done <- got
		}()
		synctest.Wait()
		close(f.wait)
		if got := <-done; !slices.Equal(got, []int{11, 22}) || len(f.reads) != 2 || !slices.Equal(f.reads[1], []int{1}) {
			t.Errorf("got %v by the reads %v", got, f.reads)
		}
	})
}

func TestAReadTogetherThatFailsIsNotStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newTogether()
		f.err = errors.New("no connection")
		if _, err := f.get(t.Context(), 0, 1); !errors.Is(err, f.err) {
			t.Errorf("got %v", err)
		}
		_, err := cache.GetAll(t.Context(), time.Now(), f.entries[:1],
			func(context.Context, []int) ([]cache.Loaded[int], error) { panic("read") })
		if err == nil {
			t.Error("a read that panics has no error")
		}
		f.err = nil
		f.wants(t, []int{20, 21}, 0, 1)
	})
}
