package people

import (
	"testing"
	"time"
)

func TestAnIDTellsWhenAnAccountWasMade(t *testing.T) {
	t.Parallel()
	if got := AccountMade("175928847299117063"); got.Format(time.RFC3339) != "2016-04-30T11:18:25Z" {
		t.Errorf("made at %v", got)
	}
	if got := AccountMade("canary-1"); !got.IsZero() {
		t.Errorf("what is no id was made at %v", got)
	}
}

func TestAnAccountIsNewForAWeek(t *testing.T) {
	t.Parallel()
	const account = "175928847299117063"
	made := AccountMade(account)
	if !NewAccount(account, made.Add(NewAccountFor-time.Second)) || NewAccount(account, made.Add(NewAccountFor)) {
		t.Error("an account is not new for a week")
	}
	if NewAccount("canary-1", made) {
		t.Error("an account of unknown age is new")
	}
}
