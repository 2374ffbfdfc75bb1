package match

import "tradepost/core"

// PageQuery is the statement that reads a page: led by the sort, walking along its index, or by the filter.
func PageQuery(q core.OrderQuery, byFilterFirst bool) (string, []any) {
	if byFilterFirst {
		return pageQuery(q, byFilter)
	}
	return pageQuery(q, bySort)
}
