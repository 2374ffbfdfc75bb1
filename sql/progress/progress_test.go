package progress_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tradepost/sql/progress"
)

func TestOnlyWhatTakesLongIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reports []progress.Report
		meter, stop := progress.Start(func(r progress.Report) { reports = append(reports, r) })
		meter.Step("copy orders")
		time.Sleep(progress.Every - time.Second)
		synctest.Wait()
		if len(reports) > 0 {
			t.Errorf("reported after %s: %+v", progress.Every-time.Second, reports)
		}
		_, _ = meter.Write(make([]byte, 1000))
		time.Sleep(2 * time.Second)
		meter.Step("copy users")
		_, _ = meter.Write(make([]byte, 7))
		time.Sleep(progress.Every)
		stop()
		want := []progress.Report{{"copy orders", 1000, progress.Every}, {"copy users", 7, 2 * progress.Every}}
		if !slices.Equal(reports, want) {
			t.Errorf("reported %+v, want %+v", reports, want)
		}
		time.Sleep(time.Minute)
		if len(reports) != 2 {
			t.Error("it reports after its end")
		}
	})
}

func TestNoMeterCountsNothing(t *testing.T) {
	var none *progress.Meter
	none.Step("copy orders")
	if n, err := none.Write([]byte("row")); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
