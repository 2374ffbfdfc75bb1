package settings

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// identity is the secret under which people are recognized who are not named: clients in the log by their
// address, and deleted accounts.
type identity struct {
	IdentityKey string `env:"IDENTITY_KEY" secret:"" help:"Secret of at least 32 characters for the hashes by which the log names addresses, and under which blocks, open reports and quotas of deleted accounts are remembered for 90 days. The same for every process; keep it with the backups. If unset, the log's is made at each start, and the one of accounts is kept in the database and its backups. Use the variable or IDENTITY_KEY_FILE."`
}

// shortestIdentityKey keeps the key from being guessed: with the key, an attacker can try every address.
const shortestIdentityKey = 32

func (i identity) Wrong() (wrong WrongSettings) {
	if i.IdentityKey != "" && len(i.IdentityKey) < shortestIdentityKey {
		wrong.Add("IDENTITY_KEY", "it is shorter than %d characters: openssl rand -hex 32 makes one",
			shortestIdentityKey)
	}
	return wrong
}

// KeyFor derives a key for one purpose; nil when there is no secret.
func (i identity) KeyFor(purpose string) []byte {
	if i.IdentityKey == "" {
		return nil
	}
	key, err := hkdf.Key(sha256.New, []byte(i.IdentityKey), nil, "tradepost "+purpose, sha256.Size)
	if err != nil {
		panic(err) // HKDF can give this length
	}
	return key
}
