package trust

import (
	"cmp"
	"container/heap"
	"slices"
)

// clustered is a graph whose vertices are clusters of people. A pair inside of a cluster is in inside, from
// both ends.
type clustered struct {
	members [][]int32 // people, by cluster
	from    []int32
	to      []int32
	weight  []float64
	degree  []float64 // with what is inside
	inside  []float64
	volume  float64
	// so many times more than by chance those of one cluster have in common
	resolution float64
}

// clusters puts people together who trade with each other more than with the rest (Louvain), and those
// clusters again, until all people are one. It calls back with every cluster on the way there: at every
// scale, the smallest first.
func (g *graph) clusters(found func(members []int32, cut float64)) {
	c := g.single(1)
	if len(g.to) <= fewPairs {
		c.clone().mergeAll(found)
	}
	c.join(found)
	c.mergeAll(found)
}

// circleResolution is how much more than by chance people of one circle trade with each other. With twice as
// much a small market in which everybody trades with everybody is no single circle.
const circleResolution = 2

// circles returns a person for each person: the first of their circle.
func (g *graph) circles() []int32 {
	c := g.single(circleResolution)
	c.join(func([]int32, float64) {})
	first := make([]int32, len(g.people))
	for _, members := range c.members {
		for _, v := range members {
			first[v] = slices.Min(members)
		}
	}
	return first
}

// single returns the graph with everybody as a cluster of their own.
func (g *graph) single(resolution float64) *clustered {
	c := &clustered{members: make([][]int32, len(g.people)), from: g.from, to: g.to, weight: g.weight,
		degree: g.degree, inside: make([]float64, len(g.people)), volume: g.volume, resolution: resolution}
	for v := range c.members {
		c.members[v] = []int32{int32(v)}
	}
	return c
}

// join joins clusters until none would move to another any more.
func (c *clustered) join(found func(members []int32, cut float64)) {
	for {
		of, moved := c.move()
		if !moved {
			return
		}
		*c = c.joined(of)
		for i, members := range c.members {
			found(members, c.degree[i]-c.inside[i])
		}
	}
}

// fewPairs is up to how many ends of pairs clusters are also made of single people, one merge at a time.
const fewPairs = 40_000

func (c *clustered) clone() *clustered {
	copied := *c
	copied.members, copied.degree, copied.inside = slices.Clone(c.members), slices.Clone(c.degree),
		slices.Clone(c.inside)
	return &copied
}

// passes is how often each vertex is looked at again at most.
const passes = 12

// move moves each vertex to the neighbours' cluster with which it has most in common beyond chance, until
// none moves.
func (c *clustered) move() (of []int32, moved bool) {
	n := len(c.members)
	of = make([]int32, n)
	total := slices.Clone(c.degree) // of each cluster
	for v := range of {
		of[v] = int32(v)
	}
	shared := make([]float64, n) // with each cluster, by the vertex that is looked at
	var near []int32
	for range passes {
		changes := 0
		for v := range n {
			near = near[:0]
			for e := c.from[v]; e < c.from[v+1]; e++ {
				cluster := of[c.to[e]]
				if shared[cluster] == 0 {
					near = append(near, cluster)
				}
				shared[cluster] += c.weight[e]
			}
			own := of[v]
			total[own] -= c.degree[v]
			best, most := own, shared[own]-c.resolution*c.degree[v]*total[own]/c.volume
			for _, cluster := range near {
				gain := shared[cluster] - c.resolution*c.degree[v]*total[cluster]/c.volume
				if gain > most+1e-9 {
					best, most = cluster, gain
				}
			}
			total[best] += c.degree[v]
			if best != own {
				of[v] = best
				changes++
			}
			for _, cluster := range near {
				shared[cluster] = 0
			}
		}
		if changes == 0 {
			break
		}
		moved = true
	}
	return of, moved
}

// joined returns the graph of the clusters that move has found, numbered in the order of their first vertex.
func (c *clustered) joined(of []int32) clustered {
	number := make([]int32, len(of))
	for i := range number {
		number[i] = -1
	}
	var vertices [][]int32
	for v, cluster := range of {
		if number[cluster] < 0 {
			number[cluster] = int32(len(vertices))
			vertices = append(vertices, nil)
		}
		vertices[number[cluster]] = append(vertices[number[cluster]], int32(v))
	}
	n := len(vertices)
	j := clustered{members: make([][]int32, n), from: make([]int32, n+1), degree: make([]float64, n),
		inside: make([]float64, n), volume: c.volume, resolution: c.resolution}
	shared := make([]float64, n)
	var near []int32
	for i, some := range vertices {
		near = near[:0]
		for _, v := range some {
			j.members[i] = append(j.members[i], c.members[v]...)
			j.degree[i] += c.degree[v]
			j.inside[i] += c.inside[v]
			for e := c.from[v]; e < c.from[v+1]; e++ {
				other := number[of[c.to[e]]]
				if int(other) == i {
					j.inside[i] += c.weight[e]
					continue
				}
				if shared[other] == 0 {
					near = append(near, other)
				}
				shared[other] += c.weight[e]
			}
		}
		slices.Sort(near)
		for _, other := range near {
			j.to, j.weight = append(j.to, other), append(j.weight, shared[other])
			shared[other] = 0
		}
		j.from[i+1] = int32(len(j.to))
	}
	return j
}

// closeness is how densely two clusters trade with each other, as they were after so many merges.
type closeness struct {
	density            float64
	a, b               int32
	mergedOfA, mergedB int
}

// closest is a heap with the densest on top.
type closest []closeness

func (h closest) Len() int { return len(h) }

func (h closest) Less(i, j int) bool {
	return cmp.Or(-cmp.Compare(h[i].density, h[j].density), cmp.Compare(h[i].a, h[j].a),
		cmp.Compare(h[i].b, h[j].b)) < 0
}

func (h closest) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *closest) Push(x any) { *h = append(*h, x.(closeness)) }

func (h *closest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// mergeAll merges the two clusters with the densest trade between them, again and again.
func (c *clustered) mergeAll(found func(members []int32, cut float64)) {
	n := len(c.members)
	between, merged := make([]map[int32]float64, n), make([]int, n)
	next := &closest{}
	add := func(a, b int32) {
		a, b = min(a, b), max(a, b)
		heap.Push(next, closeness{between[a][b] / (c.degree[a] * c.degree[b]), a, b, merged[a], merged[b]})
	}
	for i := range between {
		between[i] = map[int32]float64{}
		for e := c.from[i]; e < c.from[i+1]; e++ {
			between[i][c.to[e]] = c.weight[e]
		}
	}
	for i := range int32(n) {
		for j := range between[i] {
			if i < j {
				add(i, j)
			}
		}
	}
	for next.Len() > 0 {
		near := heap.Pop(next).(closeness)
		a, b := near.a, near.b
		if merged[a] != near.mergedOfA || merged[b] != near.mergedB { // either is another cluster by now
			continue
		}
		merged[a]++
		merged[b]++
		c.members[a] = append(c.members[a], c.members[b]...)
		c.degree[a] += c.degree[b]
		c.inside[a] += c.inside[b] + 2*between[a][b]
		delete(between[a], b)
		for other, weight := range between[b] {
			delete(between[other], b)
			if other != a {
				between[a][other] += weight
				between[other][a] += weight
			}
		}
		between[b], c.members[b] = nil, nil
		for other := range between[a] {
			add(a, other)
		}
		found(c.members[a], c.degree[a]-c.inside[a])
	}
}
