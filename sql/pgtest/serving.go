package pgtest

import "net/url"

// servingRole is the role of every test server that may do what a running market must, and cannot change
// the log of moderation.
const servingRole = "tradepost_serving"

const makeServingRole = `
do $$ begin
    create role ` + servingRole + ` login password '` + servingRole + `';
exception when duplicate_object or unique_violation then null;
end $$`

// Serving returns the address of a database that New has made, with the role that a running market should
// have: it is not the owner.
func Serving(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" {
		return dsn + " user=" + servingRole + " password=" + servingRole // the last ones win
	}
	query := u.Query()
	query.Set("user", servingRole)
	query.Set("password", servingRole)
	u.User, u.RawQuery = nil, query.Encode()
	return u.String()
}
