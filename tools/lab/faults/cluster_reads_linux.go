package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// measuredReads are requests, each of which reads the store.
const measuredReads = 1500

// readCost is what reads have cost the primary.
type readCost struct {
	name             string
	each             time.Duration // of processor time, less what it takes at rest
	replica, primary float64       // by which the store's reads were answered, where the program counts them
}

// processorPerRead measures what a read costs the primary, without standbys and with them.
func (g *ground) processorPerRead(ctx context.Context, c *patroniCluster) (costs []readCost, err error) {
	haproxy := ways[0]
	for _, w := range []way{
		{name: "without DATABASE_REPLICAS", database: haproxy.database,
			env: func(c *patroniCluster) []string { return haproxy.env(c)[:1] }},
		{name: "with DATABASE_REPLICAS", database: haproxy.database, env: haproxy.env},
	} {
		cost, err := g.readCostBy(ctx, c, w)
		if err != nil {
			return costs, fmt.Errorf("measure reads %s: %w", w.name, err)
		}
		costs = append(costs, cost)
	}
	if costs[1].each > costs[0].each/4 {
		err = errors.New("reads cost the primary hardly less with replicas than without")
	}
	return costs, err
}

func (g *ground) readCostBy(ctx context.Context, c *patroniCluster, w way) (cost readCost, err error) {
	s, err := g.failoverScene(ctx, c, w)
	if err != nil {
		return cost, err
	}
	defer s.close()
	n := c.primary()
	if n == nil {
		return cost, errors.New("there is no primary")
	}
	client := &http.Client{Timeout: 12 * time.Second, Transport: from(visitors.Add(1))}
	read := func(times int) error {
		for i := range times {
			path := "/api/orders/" + strconv.FormatInt(s.owners[0].order, 10)
			if i%2 == 0 {
				path = "/api/orders?q=ore&minPrice=" + strconv.Itoa(1+i)
			}
			if _, err := get(ctx, client, "http://"+s.programs[0].address+path); err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(200); err != nil { // so that everything is connected and planned
		return cost, err
	}
	before, asOf := c.processor(n), time.Now()
	select {
	case <-time.After(2 * time.Second): // what it takes at rest
	case <-ctx.Done():
		return cost, ctx.Err()
	}
	idle := (c.processor(n) - before).Seconds() / time.Since(asOf).Seconds()
	before, asOf = c.processor(n), time.Now()
	if err := read(measuredReads); err != nil {
		return cost, err
	}
	used := (c.processor(n) - before).Seconds() - idle*time.Since(asOf).Seconds()
	cost = readCost{name: w.name, each: time.Duration(max(0, used) / measuredReads * float64(time.Second))}
	var replicaErr, primaryErr error
	cost.replica, replicaErr = s.programs[0].metric(ctx,
		`tradepost_database_public_reads_total{from="replica"}`)
	cost.primary, primaryErr = s.programs[0].metric(ctx,
		`tradepost_database_public_reads_total{from="primary"}`)
	return cost, errors.Join(replicaErr, primaryErr)
}

// processor is the processor time that PostgreSQL of a node has used so far.
func (c *patroniCluster) processor(n *clusterNode) (used time.Duration) {
	for _, pid := range processesIn(c.space(c.number(n))) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if !strings.HasPrefix(filepath.Base(string(command)), "postgres") &&
			!strings.Contains(string(command), "postgres:") {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if end := strings.LastIndexByte(string(stat), ')'); end > 0 {
			fields := strings.Fields(string(stat)[end+1:])
			// its own and its ended children's, in hundredths of a second
			for _, field := range fields[11:15] {
				ticks, _ := strconv.ParseInt(field, 10, 64)
				used += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return used
}

// printReads prints what a read costs the primary.
func printReads(out io.Writer, costs []readCost) error {
	if len(costs) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| \t| requests that read\t| processor time of the primary for each\t| reads of the store that standbys answered\t| that the primary answered\t|")
	fmt.Fprintln(table, "|:--\t|--:\t|--:\t|--:\t|--:\t|")
	for _, cost := range costs {
		replica, primary := "-", "all"
		if cost.replica > 0 {
			replica, primary = fmt.Sprintf("%.0f", cost.replica), fmt.Sprintf("%.0f", cost.primary)
		}
		fmt.Fprintf(table, "| %s\t| %d\t| %d µs\t| %s\t| %s\t|\n", cost.name, measuredReads,
			cost.each.Microseconds(), replica, primary)
	}
	return table.Flush()
}
