package notices

import (
	"tradepost/core/token"
	"tradepost/web/kernel"
)

// Register adds the operations of notices.
func Register(a *kernel.API) {
	o := operations{a}
	kernel.Get(a, "/api/me/notices", o.listNotices, "list-notices", "List your notices")
	kernel.Perform(a, "/api/me/notices/read", o.readNotices, "read-notices", "Mark notices as read")
	kernel.Get(a, "/api/me/notices/settings", o.getNoticeSettings, "get-notice-settings",
		"Get your direct message settings")
	kernel.Put(a, "/api/me/notices/settings", o.putNoticeSettings, "put-notice-settings",
		"Set your direct message settings")
	a.Programs.Open(token.Inbox, "list-notices", "read-notices")
	kernel.Perform(a, "/api/me/notices/test", o.sendTestNotice, "send-test-notice",
		"Send yourself a test message")
}
