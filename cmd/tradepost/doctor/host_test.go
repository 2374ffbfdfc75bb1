package doctor

import (
	"strings"
	"testing"
)

func TestAFullDiskIsReported(t *testing.T) {
	for left, want := range map[uint64]string{0: "0 MiB left", leastFree - 1: "1023 MiB left", leastFree: "1 GiB are left", 1 << 40: ""} {
		err := hasSpace(t.TempDir()+"/not/there", func(string) (uint64, error) { return left, nil })
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes left: %v, want %q", left, err, want)
		}
	}
}
