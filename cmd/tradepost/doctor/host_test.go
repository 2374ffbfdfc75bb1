package doctor

import (
	"strings"
	"testing"

	"tradepost/cmd/tradepost/disk"
)

func TestAFullDiskIsReported(t *testing.T) {
	for left, want := range map[uint64]string{0: "0 MiB left", leastFree - 1: "1023 MiB left", leastFree: "1 GiB are left", 1 << 40: ""} {
		var figures Figures
		err := hasSpace(t.TempDir()+"/not/there", func(string) (disk.Space, error) { return disk.Space{Free: left}, nil }, &figures)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes left: %v, want %q", left, err, want)
		}
	}
}

func TestTheShareOfTheDiskThatIsFreeIsSaid(t *testing.T) {
	var figures Figures
	err := hasSpace(t.TempDir(), func(string) (disk.Space, error) { return disk.Space{Free: 60 << 30, Size: 100 << 30}, nil }, &figures)
	if err == nil || err.Error() != "60 GiB are left, 60 % of it" || figures.DiskFreePercent == nil || *figures.DiskFreePercent != 60 {
		t.Errorf("%v, %v", err, figures.DiskFreePercent)
	}
}
