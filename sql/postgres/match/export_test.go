package match

import "tradepost/core/match"

// PageQuery is the statement that reads a page: led by the sort, walking along its index, or by the filter.
func PageQuery(q match.OrderQuery, byFilterFirst bool) (string, []any) {
	if byFilterFirst {
		return pageQuery(q, byFilter)
	}
	return pageQuery(q, bySort)
}
