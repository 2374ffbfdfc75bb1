package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// syncCommands brings the commands that Discord knows up to date. It writes only when they differ, so that a restart
// costs one reading, and the new names that Discord allows in a day are not used up.
func (b *Bot) syncCommands(ctx context.Context, appID string) error {
	path := "/applications/" + appID + "/commands"
	var known []command
	err := b.rest.do(ctx, call{method: "GET", path: path + "?with_localizations=true", route: "GET " + path}, &known)
	if err != nil {
		return fmt.Errorf("read commands: %w", err)
	}
	tree := commandTree()
	same, err := sameCommands(known, tree)
	if err != nil || same {
		return err
	}
	if err := b.rest.do(ctx, call{method: "PUT", path: path, route: "PUT " + path, body: tree}, nil); err != nil {
		return fmt.Errorf("write commands: %w", err)
	}
	b.log.Info("commands updated", "count", len(tree))
	return nil
}

func sameCommands(known, wanted []command) (bool, error) {
	sorted := func(tree []command) ([]byte, error) {
		tree = slices.Clone(tree)
		slices.SortFunc(tree, func(a, b command) int { return strings.Compare(a.Name, b.Name) })
		return json.Marshal(tree)
	}
	a, err := sorted(known)
	if err != nil {
		return false, err
	}
	b, err := sorted(wanted)
	return bytes.Equal(a, b), err
}

// keepCommands syncs until it has worked once.
func (b *Bot) keepCommands(ctx context.Context, appID string) {
	for {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Minute)
		err := patiently(attempt, func(ctx context.Context) error { return b.syncCommands(ctx, appID) })
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
		b.log.Error("commands not updated", "error", err)
		if !passing(err) {
			return
		}
	}
}
