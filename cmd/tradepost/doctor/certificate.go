package doctor

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"
)

// leastDays is the number of days before its end by which a certificate is renewed: Caddy and certbot renew
// a month before.
const leastDays = 14

// certificateLasts reports how long the certificate of the address that people open is still valid. The
// configuration may be nil.
func certificateLasts(ctx context.Context, public string, config *tls.Config, figures *Figures) error {
	address, err := PublicAddress(public)
	if err != nil || address.Scheme != "https" {
		return notNeeded("there is none: the address is not https")
	}
	port := address.Port()
	if port == "" {
		port = "443"
	}
	dialer := tls.Dialer{Config: config}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(address.Hostname(), port))
	if err != nil {
		return fmt.Errorf("browsers warn of it (%w): look at the web server that has it, "+
			"and at its log of renewals", err)
	}
	defer conn.Close()
	ends := conn.(*tls.Conn).ConnectionState().PeerCertificates[0].NotAfter
	days := int(time.Until(ends) / (24 * time.Hour))
	figures.CertificateDays = &days
	if days < leastDays {
		unit := "days"
		if days == 1 {
			unit = "day"
		}
		return caution(fmt.Sprintf("it ends in %d %s, on %s, and was not renewed: "+
			"look at the log of the web server (journalctl -u caddy, or certbot renew --dry-run)",
			days, unit, ends.Format(time.DateOnly)))
	}
	return found(fmt.Sprintf("it is valid for %d days", days))
}
