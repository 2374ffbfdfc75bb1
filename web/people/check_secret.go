package people

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"golang.org/x/oauth2"
)

// ErrSecret means that Discord does not accept the client secret.
var ErrSecret = errors.New("Discord does not accept the client secret")

// CheckSecret asks Discord whether the client id and secret belong together. It returns ErrSecret when they
// do not.
func (d Discord) CheckSecret(ctx context.Context, public *url.URL) error {
	// With the right secret Discord rejects the invented code, and not the client.
	_, err := newSignIn(d, public).exchange(ctx, "no-code", oauth2.GenerateVerifier())
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case ok && refused.ErrorCode == "invalid_grant":
		return nil
	case ok && (refused.ErrorCode == "invalid_client" || refused.Response != nil &&
		refused.Response.StatusCode == 401):
		return ErrSecret
	case err == nil:
		return errors.New("discord has accepted a code that it never gave out")
	}
	return fmt.Errorf("ask Discord about the client secret: %w", err)
}
