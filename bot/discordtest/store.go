package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// saved is the file of Options.StatePath.
type saved struct {
	World  world
	LastID uint64
}

// restore loads the state that an earlier stand-in saved. A missing file is no error.
func (d *Discord) restore() error {
	if d.opts.StatePath == "" {
		return nil
	}
	data, err := os.ReadFile(d.opts.StatePath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the stand-in's state: %w", err)
	}
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("read the stand-in's state from %s: %w", d.opts.StatePath, err)
	}
	if len(s.World.Guilds) == 0 { // saved before there could be several
		s.World.Guilds = newWorld(d.opts).Guilds
		for _, c := range s.World.Channels {
			if !c.dm() {
				c.GuildID = guildID
			}
		}
	}
	// Where to send people back to is decided by this run: addresses may have moved.
	s.World.App.RedirectURIs = append([]string{}, d.opts.RedirectURIs...)
	d.world, d.lastID = s.World, s.LastID
	for _, m := range d.world.Messages {
		if m.Nonce != nil {
			d.nonces[nonceOf(m.ChannelID, m.Nonce)] = m
		}
		if m.Reader != "" {
			d.private++
		}
	}
	return nil
}

// Save writes the state to Options.StatePath, whole or not at all. A served stand-in does so by itself
// within a second of every change, and when it is closed.
func (d *Discord) Save() error {
	if d.opts.StatePath == "" {
		return nil
	}
	d.mu.Lock()
	if !d.dirty {
		d.mu.Unlock()
		return nil
	}
	data, err := json.Marshal(saved{d.world, d.lastID})
	d.dirty = err != nil
	d.mu.Unlock()
	if err != nil {
		return fmt.Errorf("save the stand-in's state: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(d.opts.StatePath), 0o700); err != nil {
		return fmt.Errorf("save the stand-in's state: %w", err)
	}
	temporary := d.opts.StatePath + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return fmt.Errorf("save the stand-in's state: %w", err)
	}
	if err := os.Rename(temporary, d.opts.StatePath); err != nil {
		return fmt.Errorf("save the stand-in's state: %w", err)
	}
	return nil
}

// keep does what must be done from time to time: it saves, and closes connections that have stopped beating.
func (d *Discord) keep() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-d.ctx.Done():
			return
		case <-tick.C:
		}
		d.mu.Lock()
		d.gateway.watch()
		d.mu.Unlock()
		if err := d.Save(); err != nil {
			d.log.Error("save the stand-in Discord", "error", err)
		}
	}
}
