package postgres

import "tradepost/core"

// Translate is how a Store reports an error of the database.
var Translate = translate

// Violated is the constraint that an error of the database is about.
var Violated = violated

// ConstraintErrors are the errors of the core by constraint.
var ConstraintErrors = constraintErrors

// PageQuery is the statement that reads a page: led by the sort, walking along its index, or by the filter.
func PageQuery(q core.OrderQuery, byFilterFirst bool) (string, []any) {
	if byFilterFirst {
		return pageQuery(q, byFilter)
	}
	return pageQuery(q, bySort)
}
