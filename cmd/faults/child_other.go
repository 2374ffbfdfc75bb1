//go:build unix && !linux

package main

import (
	"errors"
	"syscall"
)

func dieWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func withoutFiles(int) (giveBack func() error, err error) {
	return nil, errors.New("this fault can be played on Linux only")
}
