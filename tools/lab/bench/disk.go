package main

import (
	"context"
	"fmt"
)

// measureDisk says what the market occupies as it was made, before anything is measured that writes.
func (b *bench) measureDisk(ctx context.Context) error {
	const name = "on disk, with offers, sales and notices"
	if !b.wanted(name) {
		return nil
	}
	tables, indexes, err := b.stored(ctx)
	if err != nil {
		return err
	}
	b.add(row{size: b.size, name: name, queries: -1,
		figure: fmt.Sprintf("%s MiB; an order: %s bytes, and %s of indexes",
			count((tables+indexes)/mebibyte), count(tables/float64(b.size)), count(indexes/float64(b.size)))})
	return nil
}

// stored is how many bytes the market's tables and their indexes have.
func (b *bench) stored(ctx context.Context) (tables, indexes float64, err error) {
	err = b.store.Pool().QueryRow(ctx, `
select sum(pg_table_size(oid)), sum(pg_indexes_size(oid)) from pg_class
where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'bench%'`).Scan(&tables, &indexes)
	if err != nil {
		return 0, 0, fmt.Errorf("ask for the tables' sizes: %w", err)
	}
	return tables, indexes, nil
}
