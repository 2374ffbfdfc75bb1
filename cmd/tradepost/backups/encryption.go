package backups

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"

	"tradepost/cmd/tradepost/settings"
)

// encrypting returns a function that writes what write does, encrypted where there are recipients.
func encrypting(r settings.BackupRecipients, write func(io.Writer) error) (func(io.Writer) error, error) {
	keys, err := r.Parse()
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
		return in, nil //nolint:nilerr // a file that is too short is no backup, as its reader reports
	}
	if identityFile == "" {
		return nil, errors.New("the backup is encrypted: name the file of an age identity that may read it " +
			"with --identity")
	}
	file, err := os.Open(identityFile)
	if err != nil {
		return nil, fmt.Errorf("open the identity: %w", err)
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, fmt.Errorf("%s holds no age identity: want lines of AGE-SECRET-KEY-1..., "+
			"as age-keygen writes them", identityFile)
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
