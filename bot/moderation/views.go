package moderation

import (
	"fmt"

	"tradepost/core"
)

func reportsView(before core.ReportID) string { return fmt.Sprintf("q%d", before) }

// channelView is a message in the report channel.
func channelView(messageOf int64) string { return fmt.Sprintf("c%d", messageOf) }

func reportView(id core.ReportID) string { return fmt.Sprintf("r%d", id) }
