package queue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/notify"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// River takes jobs in one statement of its own: it is held against the order that the core declares.
func TestRiverTakesJobsInTheOrderOfTheCore(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	store := w.Another(postgres.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	now := time.Now().UTC().Truncate(time.Microsecond)
	var jobs []coretest.Job
	var values []string
	for i := range 300 {
		j := coretest.Job{Notice: core.NoticeID(i + 1), Priority: []notify.Priority{notify.Alone, notify.Another, notify.Waiting}[random.IntN(3)],
			At: now.Add(time.Duration(random.IntN(40)-30) * time.Minute)}
		values = append(values, fmt.Sprintf("('{\"notice\": %d}', 'deliver_notice', 10, %d, '%s', '%s', 'available')",
			j.Notice, j.Priority, queue.Notices, j.At.Format(time.RFC3339Nano)))
		if j.Due(now) {
			jobs = append(jobs, j)
		}
	}
	storetest.Must(t, w.SQL("insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state) values "+strings.Join(values, ", ")))
	slices.SortStableFunc(jobs, coretest.Job.Compare)
	river := riverpgxv5.New(store.Pool()).GetExecutor()
	for i, want := range jobs {
		result, err := river.JobGetAvailable(t.Context(), &riverdriver.JobGetAvailableParams{ClientID: "one", MaxAttemptedBy: 10, MaxToLock: 1, Now: &now,
			Queue: queue.Notices})
		storetest.Must(t, err)
		took := result.Jobs
		if len(took) != 1 || string(took[0].EncodedArgs) != fmt.Sprintf(`{"notice": %d}`, want.Notice) {
			t.Fatalf("job %d of %d is %+v, want %+v", i, len(jobs), took, want)
		}
	}
}
