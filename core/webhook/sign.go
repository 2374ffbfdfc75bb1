package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// secretPrefix begins a secret as people copy it, by the specification of Standard Webhooks.
const secretPrefix = "whsec_"

// secretLength is in bytes; the specification has 24 to 64.
const secretLength = 32

// NewSecret draws a secret.
func NewSecret(random io.Reader) ([]byte, error) {
	secret := make([]byte, secretLength)
	if _, err := io.ReadFull(random, secret); err != nil {
		return nil, fmt.Errorf("draw a secret: %w", err)
	}
	return secret, nil
}

// Shown returns a secret in the form in which people copy it.
func Shown(secret []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(secret) }

// Sign returns the header webhook-signature of a message: a signature of each secret.
func Sign(secrets [][]byte, id string, at time.Time, body []byte) string {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		_, _ = mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}
