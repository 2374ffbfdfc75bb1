//go:build unix && !linux

package main

import (
	"errors"
	"syscall"
)

func dieWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func withoutFiles(int) (giveBack func() error, err error) {
	return nil, errLinux
}

var errLinux = errors.New("this fault can be played on Linux only")

func onLinux() error { return errLinux }

func withoutMemory(int) error { return errLinux }

func busyCore(int) (quiet func() error, err error) { return nil, errLinux }

type smallDisk struct{ folder string }

func mountSmallDisk() (*smallDisk, error) { return nil, errLinux }

func (*smallDisk) fill() error  { return errLinux }
func (*smallDisk) clear() error { return errLinux }
func (*smallDisk) unmount()     {}
