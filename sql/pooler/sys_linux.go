package pooler

import (
	"os"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// unprivileged is the id that Debian gives a user without rights.
const unprivileged = 65534

// attributes makes PgBouncer end with this process. PgBouncer does not run as root: under root it runs as the
// owner of the server's socket, because the socket may be open to its owner alone. Where that is root as well,
// as in a folder that no other user may enter, a user namespace hides who it is.
func attributes(server *pgconn.Config) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		return attributes
	}
	as := &syscall.Credential{Uid: unprivileged, Gid: unprivileged}
	network, address := pgconn.NetworkAddress(server.Host, server.Port)
	if info, err := os.Stat(address); network == "unix" && err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			as = &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}
		}
	}
	if as.Uid != 0 {
		attributes.Credential = as
		return attributes
	}
	attributes.Cloneflags = syscall.CLONE_NEWUSER
	attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: unprivileged, HostID: 0, Size: 1}}
	attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: unprivileged, HostID: 0, Size: 1}}
	return attributes
}
