package main

// circles returns the sets of nodes that reach each other, those with more than one node.
func circles[K comparable](nodes []K, next func(K) []K) (found [][]K) {
	type state struct{ index, low int }
	var (
		states  = map[K]*state{}
		stack   []K
		onStack = map[K]bool{}
		visit   func(K)
	)
	visit = func(n K) {
		s := &state{len(states), len(states)}
		states[n] = s
		stack, onStack[n] = append(stack, n), true
		for _, m := range next(n) {
			if states[m] == nil {
				visit(m)
				s.low = min(s.low, states[m].low)
			} else if onStack[m] {
				s.low = min(s.low, states[m].index)
			}
		}
		if s.low != s.index {
			return
		}
		var circle []K
		for {
			m := stack[len(stack)-1]
			stack, onStack[m] = stack[:len(stack)-1], false
			circle = append(circle, m)
			if m == n {
				break
			}
		}
		if len(circle) > 1 {
			found = append(found, circle)
		}
	}
	for _, n := range nodes {
		if states[n] == nil {
			visit(n)
		}
	}
	return found
}
