package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestTheDatabaseOfAnAddressIsChanged(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]string{
		"an address":                   "postgres://ann:secret@db.example:6000/market?sslmode=disable",
		"one without a database":       "postgres://ann:secret@db.example:6000",
		"one with it among the rest":   "postgres://ann:secret@db.example:6000/?dbname=market",
		"words":                        "host=db.example port=6000 user=ann password=secret dbname=market sslmode=disable",
		"a socket's folder in the end": "postgres:///market?host=db.example&port=6000&user=ann",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config, err := pgx.ParseConfig(withDatabase(dsn, "t_1"))
			if err != nil {
				t.Fatal(err)
			}
			if config.Database != "t_1" || config.Host != "db.example" || config.Port != 6000 || config.User != "ann" {
				t.Errorf("%s at %s:%d as %s", config.Database, config.Host, config.Port, config.User)
			}
		})
	}
}
