package match

import "testing"

func TestAnAudienceIsCountedRoughly(t *testing.T) {
	t.Parallel()
	for people, want := range map[int]int{0: 0, 1: 1, 9: 1, 10: 10, 99: 10, 100: 100, 999: 100, 1000: 1000} {
		if got := roughly(people); got != want {
			t.Errorf("%d people are roughly %d, want %d", people, got, want)
		}
	}
}
