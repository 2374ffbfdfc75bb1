package hooks

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"tradepost/core/webhook"
)

const (
	maxAnswer  = 4 << 10 // bytes that are read of an answer
	maxHeaders = 16 << 10
)

var errNotPublic = errors.New("the address is in no public network")

// NewClient returns the client that sends. It connects to public addresses only, which it checks when it
// connects, whatever a name said before. It follows no redirects and asks no proxy. anywhere allows every
// address, for tests; resolver may be nil.
func NewClient(anywhere bool, resolver *net.Resolver) *http.Client {
	if anywhere {
		return newClient(func(netip.Addr) bool { return true }, resolver)
	}
	return newClient(webhook.IsPublic, resolver)
}

func newClient(public func(netip.Addr) bool, resolver *net.Resolver) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Resolver: resolver, Control: only(public)}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxResponseHeaderBytes: maxHeaders,
			MaxIdleConns:           200,
			MaxIdleConnsPerHost:    inFlight,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// only returns the Control of a dialer, which is called with each address that is about to be connected to.
func only(public func(netip.Addr) bool) func(string, string, syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !public(to.Addr()) {
			return errNotPublic
		}
		return nil
	}
}

// failureOf returns why there was no answer. Owners see no more of an error than that.
func failureOf(err error) webhook.Failure {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		timeout     interface{ Timeout() bool }
	)
	switch {
	case errors.Is(err, errNotPublic):
		return webhook.NotPublic
	case errors.As(err, &name) && !name.IsTimeout:
		return webhook.NoName
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert):
		return webhook.NotTrusted
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return webhook.TooSlow
	}
	return webhook.NoConnection
}

// readAnswer returns how an answer starts, as one line.
func readAnswer(body io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxAnswer))
	line := []rune(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), "�"))), " "))
	return string(line[:min(len(line), webhook.MaxAnswer)]), err
}

// retryAfter returns how long the receiver asks to be left alone, in seconds or until a time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

func timestamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
