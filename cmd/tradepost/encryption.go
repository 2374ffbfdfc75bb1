package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// recipients say to whom backups are encrypted.
type recipients struct {
	Recipients []string `name:"backup-recipient" env:"BACKUP_RECIPIENT" sep:"," placeholder:"age1..." help:"age public keys to encrypt backups to, separated by commas. Who has the identity of one can read them. If unset, backups are not encrypted."`
}

func (r recipients) wrong() (wrong wrongSettings) {
	if _, err := r.parse(); err != nil {
		wrong.add("BACKUP_RECIPIENT", "%s", err)
	}
	return wrong
}

func (r recipients) parse() (keys []age.Recipient, err error) {
	for _, text := range trimmed(r.Recipients) {
		if strings.HasPrefix(strings.ToUpper(text), "AGE-SECRET-KEY-") {
			return nil, errors.New("that is an identity, which is secret: want the public key (age1...) that age-keygen prints")
		}
		key, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%q is no age public key: want age1..., as age-keygen prints it", text)
		}
		keys = append(keys, key...)
	}
	return keys, nil
}

// encrypting returns a function that writes what write does, encrypted where there are recipients.
func encrypting(r recipients, write func(io.Writer) error) (func(io.Writer) error, error) {
	keys, err := r.parse()
	if err != nil || len(keys) == 0 {
		return write, err
	}
	return func(to io.Writer) error {
		sealed, err := age.Encrypt(to, keys...)
		if err != nil {
			return fmt.Errorf("encrypt: %w", err)
		}
		if err := write(sealed); err != nil {
			return err
		}
		if err := sealed.Close(); err != nil {
			return fmt.Errorf("encrypt: %w", err)
		}
		return nil
	}, nil
}

// ageHeader begins every file that age has encrypted.
const ageHeader = "age-encryption.org/"

// decrypted returns the content of a backup, which may be encrypted. The identity is a file.
func decrypted(in *bufio.Reader, identityFile string) (io.Reader, error) {
	if start, err := in.Peek(len(ageHeader)); err != nil || string(start) != ageHeader {
		return in, nil //nolint:nilerr // one that is too short is no backup, as its reader says
	}
	if identityFile == "" {
		return nil, errors.New("the backup is encrypted: name the file of an age identity that may read it with --identity")
	}
	file, err := os.Open(identityFile)
	if err != nil {
		return nil, fmt.Errorf("open the identity: %w", err)
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, fmt.Errorf("%s holds no age identity: want lines of AGE-SECRET-KEY-1..., as age-keygen writes them", identityFile)
	}
	content, err := age.Decrypt(in, identities...)
	var other *age.NoIdentityMatchError
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("the backup is encrypted to another key than the identity in %s", identityFile)
	case err != nil:
		return nil, fmt.Errorf("decrypt the backup: %w", err)
	}
	return content, nil
}

// backupsAreEncrypted is what the doctor says of them.
func backupsAreEncrypted(r recipients) error {
	keys, err := r.parse()
	switch {
	case err != nil:
		return err
	case len(keys) == 0:
		return caution("not encrypted, and they contain e-mail addresses and offers: set BACKUP_RECIPIENT to an age public key where they are made, " +
			"and keep its identity elsewhere")
	}
	return found(fmt.Sprintf("encrypted to %d key(s)", len(keys)))
}
