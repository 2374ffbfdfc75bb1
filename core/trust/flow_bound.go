package trust

import "slices"

// clusterBound bounds what clusters keep.
type clusterBound struct {
	graph         *graph
	mass, amounts []float64
	in            []bool // who is in the cluster that is looked at
}

// refined is up to how many members a cluster is refined.
const refined = 200

// keep has the members of a cluster share what the pairs that lead out of it weigh, where they have more
// together: of the cluster as it was found, and of the one near it that has most beyond its bound. Half of a
// community and more is the community itself.
func (b *clusterBound) keep(members []int32, cut float64) {
	b.bound(members, cut)
	if len(members) > refined {
		return
	}
	b.bound(b.refine(members, cut))
}

func (b *clusterBound) bound(members []int32, cut float64) {
	var mass, sum float64
	for _, v := range members {
		mass += b.mass[v]
		sum += b.amounts[v]
		if b.graph.people[v].Source {
			cut += b.graph.degree[v]
		}
	}
	// What leads out of a cluster is a difference, which may be a little below none.
	cut = max(0, cut*keptOfCut)
	if mass*2 >= b.graph.volume || sum <= cut {
		return
	}
	for _, v := range members {
		b.amounts[v] *= cut / sum
	}
}

// refine moves people into a cluster and out of it while what it has beyond its bound grows by that.
func (b *clusterBound) refine(members []int32, cut float64) ([]int32, float64) {
	g := b.graph
	members = slices.Clone(members)
	for _, v := range members {
		b.in[v] = true
	}
	for range refined {
		best, most := int32(-1), 1e-9
		look := func(v int32) {
			gain := b.amounts[v] + 2*b.inside(v) - g.degree[v] // of adding it
			if g.people[v].Source {
				gain -= g.degree[v]
			}
			if b.in[v] {
				gain = -gain
			}
			if gain > most {
				best, most = v, gain
			}
		}
		for _, v := range members {
			look(v)
			for e := g.from[v]; e < g.from[v+1]; e++ {
				if !b.in[g.to[e]] {
					look(g.to[e])
				}
			}
		}
		if best < 0 {
			break
		}
		out := g.degree[best] - 2*b.inside(best)
		if b.in[best] {
			cut -= out
			members = slices.DeleteFunc(members, func(v int32) bool { return v == best })
		} else {
			cut += out
			members = append(members, best)
		}
		b.in[best] = !b.in[best]
	}
	for _, v := range members {
		b.in[v] = false
	}
	return members, cut
}

// inside returns what the pairs of a person weigh that are with members of the cluster.
func (b *clusterBound) inside(v int32) (weight float64) {
	g := b.graph
	for e := g.from[v]; e < g.from[v+1]; e++ {
		if b.in[g.to[e]] {
			weight += g.weight[e]
		}
	}
	return weight
}
