package serving

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tradepost/core"
)

const (
	// methodPurge is how caches are told which keys are stale. The keys are in the header Surrogate-Key.
	methodPurge = "PURGE"
	// maxPurgedKeys is how many keys one purge names. When more are stale, everything is purged.
	maxPurgedKeys = 200
	// purgePause is the time between two purges of one cache. Changes in between share the second purge.
	purgePause = 50 * time.Millisecond
	// purgeTime is how long one purge may take.
	purgeTime = 2 * time.Second
	// maxPurgePause is the longest time between two attempts to reach a cache.
	maxPurgePause = time.Second
)

// Purger tells caches in front of the program which of their responses have become stale. It is safe for
// concurrent use.
type Purger struct{ caches []*purgedCache }

// purgedCache is one cache with the keys to purge in it.
type purgedCache struct {
	address string
	client  *http.Client
	log     *slog.Logger
	due     chan struct{} // signals that there are keys to purge

	mu   sync.Mutex
	all  bool                // everything is stale
	keys map[string]struct{} // maxPurgedKeys at most
}

// CheckPurgeURL returns an error when an address cannot be where a cache takes purges.
func CheckPurgeURL(address string) error {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.User != nil ||
		at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("%q is no address to send purges to: want something like http://127.0.0.1:6083",
			address)
	}
	return nil
}

// NewPurger returns a purger for the caches that take purges at these addresses.
func NewPurger(addresses []string, log *slog.Logger) *Purger {
	p := &Purger{}
	for _, address := range addresses {
		p.caches = append(p.caches, &purgedCache{
			address: address, log: log, client: &http.Client{Timeout: purgeTime,
				Transport: &http.Transport{MaxIdleConns: 1, IdleConnTimeout: time.Minute}},
			due: make(chan struct{}, 1), keys: map[string]struct{}{},
		})
	}
	return p
}

// Changed notes the keys that a change makes stale. It never blocks.
func (p *Purger) Changed(c core.Change) {
	keys := changedKeys(c)
	if len(keys) == 0 {
		return
	}
	for _, cache := range p.caches {
		cache.note(keys)
	}
}

// Run purges until ctx ends.
func (p *Purger) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, cache := range p.caches {
		running.Go(func() { cache.run(ctx) })
	}
	running.Wait()
}

func (c *purgedCache) note(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.keys[key] = struct{}{}
	}
	if _, all := c.keys[KeyAll]; all || c.all || len(c.keys) > maxPurgedKeys {
		c.all = true
		clear(c.keys)
	}
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// take returns the keys to purge and clears them.
func (c *purgedCache) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := strings.Join(slices.Sorted(maps.Keys(c.keys)), " ")
	if c.all {
		keys = KeyAll
	}
	c.all = false
	clear(c.keys)
	return keys
}

// run tells the cache what is stale. After a failure the cache may have missed something, so everything is
// purged.
func (c *purgedCache) run(ctx context.Context) {
	failed := 0
	for {
		select {
		case <-c.due:
		case <-ctx.Done():
			return
		}
		pause := purgePause
		switch err := c.purge(ctx, c.take()); {
		case ctx.Err() != nil:
			return
		case err != nil:
			if failed == 0 {
				c.log.Warn("cache: purge failed, retrying; it will be purged as a whole", "cache", c.address,
					"error", err)
			}
			c.note([]string{KeyAll})
			pause = min(purgePause<<min(failed, 10), maxPurgePause)
			failed++
		case failed > 0:
			c.log.Info("cache: purged again", "cache", c.address, "attempts", failed+1)
			failed = 0
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

func (c *purgedCache) purge(ctx context.Context, keys string) error {
	req, err := http.NewRequestWithContext(ctx, methodPurge, c.address, nil)
	if err != nil {
		return err
	}
	req.Header.Set(surrogateKey, keys)
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4096)) // so that the connection can be used again
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("purge: %s", resp.Status)
	}
	return nil
}

// The keys under which responses are purged. Every response but an asset has KeyAll.
const (
	KeyAll    = "all"
	KeyLists  = "lists"  // it shows a list of open orders, or counts them
	KeyItems  = "items"  // it shows items of the catalogue
	KeyTrades = "trades" // it shows what items were traded for
)

// orderKey returns the key of responses that show one order.
func orderKey(id core.OrderID) string { return "order-" + strconv.FormatInt(int64(id), 10) }

// changedKeys are the keys of the responses that a change makes stale.
func changedKeys(c core.Change) (keys []string) {
	if c.Resync {
		return []string{KeyAll}
	}
	for _, id := range c.Orders {
		keys = append(keys, orderKey(id))
	}
	if len(c.Orders) > 0 || c.Lists || c.Items { // an order shows which item it names
		keys = append(keys, KeyLists)
	}
	if c.Items {
		keys = append(keys, KeyItems)
	}
	if len(c.Traded) > 0 || c.AnyTraded {
		keys = append(keys, KeyTrades)
	}
	return keys
}
