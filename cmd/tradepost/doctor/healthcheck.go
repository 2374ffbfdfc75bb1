package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"tradepost/cmd/tradepost/backups"
)

// Healthcheck is the command that asks a running market whether it is well, or a folder whether its
// newest backup is young.
type Healthcheck struct {
	Listen  string `env:"LISTEN" default:"127.0.0.1:8080" help:"Address that the market serves on."`
	Backups string `placeholder:"FOLDER" help:"Look at the age of the newest backup in this folder instead: it is healthy while it is less than 26 hours old."`
}

// Run returns an error unless the market answers that it is well.
func (h *Healthcheck) Run(ctx context.Context) error {
	if h.Backups != "" {
		return youngEnough(h.Backups, time.Now())
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(h.Listen)+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("not running: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not well: %s", resp.Status)
	}
	return nil
}

func youngEnough(folder string, now time.Time) error {
	newest, err := backups.Newest(folder)
	switch age := now.Sub(newest); {
	case err != nil:
		return err
	case newest.IsZero():
		return fmt.Errorf("no backup is in %s", folder)
	case age > backups.MostAge:
		return fmt.Errorf("the newest backup in %s is %s old", folder, age.Round(time.Minute))
	}
	return nil
}
