package main

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"tradepost/dashboard"
)

const mebibyte = 1 << 20

// measureMemory says what the program occupies once it has been asked for everything.
func (b *bench) measureMemory(context.Context) error {
	const name = "memory after all this"
	if !b.wanted(name) {
		return nil
	}
	occupied, err := b.program.memory()
	if err != nil {
		return err
	}
	b.add(row{size: b.size, name: name, queries: -1, value: occupied / mebibyte, most: 150,
		figure: fmt.Sprintf("%.0f MiB", occupied/mebibyte)})
	return nil
}

// measureStart measures how soon the program is there.
func (b *bench) measureStart(ctx context.Context) error {
	if !b.wanted("start until ready") {
		return nil
	}
	var starts []time.Duration
	for range 5 {
		p, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, nil, "--only=web")
		if err != nil {
			return err
		}
		starts = append(starts, p.ready)
		p.stop()
	}
	ready := median(starts)
	b.add(row{
		size: b.size, name: "start until ready", figure: short(ready), queries: -1,
		value: ready.Seconds() * 1000, most: 300,
	})
	return nil
}

// measureIdle measures a new program without requests.
func (b *bench) measureIdle(ctx context.Context) error {
	if !b.wanted("idle, page and bot") {
		return nil
	}
	discord, env, err := standIn()
	if err != nil {
		return err
	}
	defer discord.Close()
	p, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, env)
	if err != nil {
		return err
	}
	defer p.stop()
	const rest, watch = 5 * time.Second, 20 * time.Second
	if err := wait(ctx, rest); err != nil {
		return err
	}
	before, err := p.busy()
	if err != nil {
		return err
	}
	if err := wait(ctx, watch); err != nil {
		return err
	}
	after, err := p.busy()
	if err != nil {
		return err
	}
	occupied, err := p.memory()
	if err != nil {
		return err
	}
	share := 100 * float64(after-before) / float64(watch)
	b.add(row{size: b.size, name: "idle, page and bot", figure: fmt.Sprintf("%.2f %% of a core", share),
		queries: -1, value: share, most: 1})
	b.add(row{
		size: b.size, name: "memory when idle, page and bot",
		figure: fmt.Sprintf("%.0f MiB", occupied/mebibyte), queries: -1,
		value: occupied / mebibyte, most: 60,
	})
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// measureBundle adds up what a browser loads before the board shows: what the document names.
func (b *bench) measureBundle(context.Context) error {
	const name = "page: first load, compressed"
	if !b.wanted(name) {
		return nil
	}
	index, err := fs.ReadFile(dashboard.Dist, "index.html")
	if err != nil {
		progress("the page is not built: its size is left out")
		return nil
	}
	var sum, files int
	err = fs.WalkDir(dashboard.Dist, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(string(index), "/"+file) ||
			path.Ext(file) == ".gz" || path.Ext(file) == ".br" {
			return err
		}
		size := 0
		for _, travels := range []string{file + ".br", file + ".gz", file} {
			if info, err := fs.Stat(dashboard.Dist, travels); err == nil {
				size = int(info.Size())
				break
			}
		}
		sum += size
		files++
		return nil
	})
	b.add(row{size: b.size, name: name, figure: fmt.Sprintf("%.1f kB, %d files", float64(sum)/1000, files),
		queries: -1, bytes: float64(sum)})
	return err
}
