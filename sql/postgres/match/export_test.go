package match

import "tradepost/core/match"

// PageQuery is the statement that reads a page: led by the sort, walking along its index, or by the filter.
func PageQuery(q match.OrderQuery, byFilterFirst bool) (string, []any) {
	if byFilterFirst {
		return pageQuery(q, byFilter)
	}
	return pageQuery(q, bySort)
}

// Finds reports whether a filter has a condition that an index finds the rows of.
func Finds(f match.OrderFilter) bool { return shown(match.OrderQuery{OrderFilter: f}, byFilter).finds }
