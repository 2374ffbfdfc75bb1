package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

func TestACertificateThatEndsSoonIsReported(t *testing.T) {
	for days, want := range map[int]string{41: "valid for 41 days", 5: "it ends in 5 days", 1: "it ends in 1 day, ", -1: "browsers warn of it"} {
		address, trusted := servesTLS(t, time.Now().Add(time.Duration(days)*24*time.Hour+time.Hour))
		var figures Figures
		err := certificateLasts(t.Context(), "https://"+address, &tls.Config{RootCAs: trusted}, &figures)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d days: %v, want %q", days, err, want)
		}
		if known := figures.CertificateDays != nil; known != (days > 0) || known && *figures.CertificateDays != days {
			t.Errorf("%d days: the figure is %v", days, figures.CertificateDays)
		}
	}
	address, _ := servesTLS(t, time.Now().Add(24*time.Hour))
	if err := certificateLasts(t.Context(), "https://"+address, nil, &Figures{}); err == nil || !strings.Contains(err.Error(), "browsers warn of it") {
		t.Errorf("a certificate that no one trusts: %v", err)
	}
}

// servesTLS starts a server whose certificate ends at a time, and returns its address and who signed it.
func servesTLS(t *testing.T, ends time.Time) (string, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-100 * 24 * time.Hour), NotAfter: ends,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = conn.Read(make([]byte, 1)); _ = conn.Close() }()
		}
	}()
	trusted := x509.NewCertPool()
	trusted.AddCert(made)
	return listener.Addr().String(), trusted
}
