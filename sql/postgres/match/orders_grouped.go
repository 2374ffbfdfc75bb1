package match

// A grouped list has of each item the order that comes first. It walks the index of its sort as other lists
// do, and asks of each order whether another of the same item comes before it, which orders_item answers.

const sameItem = " and lower(others.item_name) = lower(orders.item_name)"

// first is the condition that no other order of the same item comes before this one. matching are the
// conditions of the list: within the subquery they are about the others.
func (s sorting) first(matching string) string {
	before := "(others." + s.column + ", others.id) > (orders." + s.column + ", orders.id)"
	if s.ascending {
		before = "(others." + s.column + " < orders." + s.column +
			" or others." + s.column + " = orders." + s.column + " and others.id > orders.id)"
	}
	return "not exists (select from orders others" + matching + sameItem + " and " + before + ")"
}

// withGroups adds to each order of a page what the orders of its item come to.
func (s sorting) withGroups(page, matching string) string {
	return "select orders.*, of_item.* from (" + page + ") orders cross join lateral (" +
		"select count(*)::integer, sum(quantity - sold)::bigint, max(max_price_per_unit) from orders others" +
		matching + sameItem +
		") of_item" + s.orderBy()
}
