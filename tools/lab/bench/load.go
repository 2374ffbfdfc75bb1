package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ask is one HTTP request, written out.
type ask []byte

// get writes out a GET with headers as "Name: value".
func get(path string, headers ...string) ask { return request("GET", path, "", headers) }

// request writes out a request with a JSON body; empty for none.
func request(method, path, body string, headers []string) ask {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: bench\r\n", method, path)
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return ask(b.String() + "\r\n" + body)
}

// response is what came back.
type response struct {
	status int
	tag    string
	bytes  int // of the body, as it travelled
	body   []byte
}

// client speaks HTTP/1.1 over one connection. It does little, because what it does takes away from what is
// measured: both share the machine.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to the program: %w", err)
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

func (c *client) close() { _ = c.conn.Close() }

// do sends a request and reads the answer; the body is kept only when keep is set.
func (c *client) do(a ask, keep bool) (response, error) {
	if _, err := c.conn.Write(a); err != nil {
		return response{}, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return response{}, err
	}
	var r response
	if len(line) < 12 {
		return r, fmt.Errorf("no status in %q", line)
	}
	if r.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return r, err
	}
	length, chunked := 0, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return r, err
		}
		if len(line) <= 2 {
			break
		}
		switch {
		case hasName(line, "content-length:"):
			if length, err = strconv.Atoi(strings.TrimSpace(string(line[15:]))); err != nil {
				return r, err
			}
		case hasName(line, "transfer-encoding:"):
			chunked = true
		case keep && hasName(line, "etag:"):
			r.tag = strings.TrimSpace(string(line[5:]))
		}
	}
	if !chunked {
		return r, c.read(&r, length, keep)
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return r, err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(line)), 16, 64)
		if err != nil {
			return r, err
		}
		if err := c.read(&r, int(size), keep); err != nil {
			return r, err
		}
		if _, err := c.in.Discard(2); err != nil {
			return r, err
		}
		if size == 0 {
			return r, nil
		}
	}
}

func (c *client) read(r *response, n int, keep bool) error {
	r.bytes += n
	if !keep {
		_, err := c.in.Discard(n)
		return err
	}
	part := make([]byte, n)
	_, err := io.ReadFull(c.in, part)
	r.body = append(r.body, part...)
	return err
}

func hasName(line []byte, name string) bool {
	if len(line) < len(name) {
		return false
	}
	for i := range len(name) {
		if line[i]|0x20 != name[i]|0x20 {
			return false
		}
	}
	return true
}

// sample is what one measurement saw.
type sample struct {
	rate      float64 // a second
	latencies []time.Duration
	bytes     float64 // of body, a request
}

// load asks through as many connections as there are clients for a while, each taking the next of its asks
// when it has the answer to the last. want is the status that every answer must have.
func load(
	ctx context.Context, address string, turn time.Duration, want int, next func(client, n int) ask,
) (sample, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		all   = make([]sample, clients)
		errs  = make([]error, clients)
		wait  sync.WaitGroup
		start = time.Now()
	)
	for i := range clients {
		wait.Go(func() {
			all[i], errs[i] = loadOne(ctx, address, start.Add(turn), want,
				func(n int) ask { return next(i, n) })
			if errs[i] != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	took := time.Since(start).Seconds()
	var sum sample
	for _, s := range all {
		sum.latencies = append(sum.latencies, s.latencies...)
		sum.bytes += s.bytes
	}
	if err := errors.Join(errs...); err != nil {
		return sum, err
	}
	if len(sum.latencies) == 0 {
		return sum, errors.New("nothing was answered")
	}
	sum.bytes /= float64(len(sum.latencies))
	sum.rate = float64(len(sum.latencies)) / took
	return sum, nil
}

func loadOne(
	ctx context.Context, address string, end time.Time, want int, next func(n int) ask,
) (sample, error) {
	c, err := dial(address)
	if err != nil {
		return sample{}, err
	}
	defer c.close()
	s := sample{latencies: make([]time.Duration, 0, 1<<17)}
	for n := 0; ctx.Err() == nil; n++ {
		began := time.Now()
		if began.After(end) {
			break
		}
		r, err := c.do(next(n), false)
		if err != nil {
			return s, err
		}
		if r.status != want {
			return s, fmt.Errorf("answered %d instead of %d", r.status, want)
		}
		s.latencies = append(s.latencies, time.Since(began))
		s.bytes += float64(r.bytes)
	}
	return s, nil
}

// percentile returns the latency below which a share of all lie. It sorts them.
func percentile(latencies []time.Duration, share float64) time.Duration {
	if len(latencies) == 0 {
		return 0
	}
	slices.Sort(latencies)
	return latencies[min(len(latencies)-1, int(share*float64(len(latencies))))]
}

func median[T int | float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}
