package web

// noticeOperations are the operations of the inbox.
type noticeOperations struct{ *api }

// registerNotices adds the operations of notices.
func registerNotices(a *api) {
	o := noticeOperations{a}
	get(a, "/api/me/notices", o.listNotices, "list-notices", "List your notices")
	perform(a, "/api/me/notices/read", o.readNotices, "read-notices", "Mark notices as read")
	get(a, "/api/me/notices/settings", o.getNoticeSettings, "get-notice-settings",
		"Get your direct message settings")
	put(a, "/api/me/notices/settings", o.putNoticeSettings, "put-notice-settings",
		"Set your direct message settings")
	perform(a, "/api/me/notices/test", o.sendTestNotice, "send-test-notice",
		"Send yourself a test message")
}
