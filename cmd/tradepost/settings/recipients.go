package settings

import (
	"errors"
	"fmt"
	"strings"

	"filippo.io/age"
)

// BackupRecipients are the public keys that backups are encrypted to.
type BackupRecipients struct {
	Recipients []string `name:"backup-recipient" env:"BACKUP_RECIPIENT" sep:"," placeholder:"age1..." help:"age public keys to encrypt backups to, separated by commas. Who has the identity of one can read them. If unset, backups are not encrypted."`
}

// Wrong returns the errors in the settings.
func (r BackupRecipients) Wrong() (wrong WrongSettings) {
	if _, err := r.Parse(); err != nil {
		wrong.Add("BACKUP_RECIPIENT", "%s", err)
	}
	return wrong
}

// Parse returns the keys that backups are encrypted to.
func (r BackupRecipients) Parse() (keys []age.Recipient, err error) {
	for _, text := range Trimmed(r.Recipients) {
		if strings.HasPrefix(strings.ToUpper(text), "AGE-SECRET-KEY-") {
			return nil, errors.New("that is an identity, which is secret: want the public key (age1...) " +
				"that age-keygen prints")
		}
		key, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%q is no age public key: want age1..., as age-keygen prints it", text)
		}
		keys = append(keys, key...)
	}
	return keys, nil
}
