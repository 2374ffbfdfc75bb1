//go:build !linux

package pooler

import (
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

func attributes(*pgconn.Config) *syscall.SysProcAttr { return nil }
