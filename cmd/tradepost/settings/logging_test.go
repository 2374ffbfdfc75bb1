package settings

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
	"time"
)

func TestDurationsAreLoggedInSeconds(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: inSeconds})).Info("request", "took", 1500*time.Millisecond, "again in", time.Minute, "status", 200)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line["took_seconds"] != 1.5 || line["again_in_seconds"] != 60.0 || line["status"] != 200.0 || len(line) != 6 {
		t.Errorf("logged %s", out.String())
	}
}
