package settings

// settingGroup is a part of the page of settings, for operators who have not written the market.
type settingGroup struct {
	title, about string
	settings     []groupedSetting
}

type groupedSetting struct{ variable, example string }

// settingGroups are in the order in which an operator needs them. Settings that are in none are listed
// below them.
var settingGroups = []settingGroup{
	{"What must be set", "Without these there is no market. `tradepost setup` asks for all of them.",
		[]groupedSetting{
			{"PUBLIC_URL", "https://trade.example"},
			{"DATABASE_URL", "postgres:///tradepost?host=/run/postgresql"},
			{"DISCORD_TOKEN", "the token, or its file in DISCORD_TOKEN_FILE"},
			{"DISCORD_CLIENT_ID", "872031946600157194"},
			{"DISCORD_CLIENT_SECRET", "the secret, or its file in DISCORD_CLIENT_SECRET_FILE"},
		}},
	{"What should be set", "A market runs without them. With them it is in order.", []groupedSetting{
		{"MODERATORS", "872031946600157194,214906133514231808"},
		{"MODERATOR_ROLES", "872031946600157195"},
		{"SERVERS", "1284551102903992320"},
		{"OPERATORS", "872031946600157194"},
		{"TRUSTED_PROXIES", "loopback,203.0.113.5"},
		{"BACKUP_RECIPIENT", "age1..."},
		{"IDENTITY_KEY", "64 letters and digits: openssl rand -hex 32"},
		{"SECURITY_CONTACT", "mailto:security@trade.example"},
		{"METRICS_LISTEN", "127.0.0.1:9090"},
		{"DATABASE_OWNER_URL", "postgres://tradepost_owner@/tradepost?host=/run/postgresql"},
	}},
	{"Branding", "What the page looks like and what is traded.", []groupedSetting{
		{"SITE_NAME", "Harbour Market"},
		{"TAGLINE", "Trade among friends"},
		{"ACCENT", "#1f6f63"},
		{"LOGO", "logo.svg"},
		{"WELCOME", "Meet at the docks on Fridays"},
		{"LANGUAGES", "de"},
		{"DEFAULT_VIEW", "list"},
		{"ITEMS", "items.txt"},
		{"GAME", "game.json"},
	}},
	{"Limits", "How much one user, one visitor and all together may do. " +
		"The defaults suit a community of some thousands.", []groupedSetting{
		{"VISITOR_OFFERS", "off"},
		{"VISITOR_LIMIT", "100"},
		{"OPEN_REQUESTS", "30"},
		{"NEW_REQUESTS", "10/h"},
		{"OFFERS", "30/h"},
		{"OFFERS_PER_REQUEST", "3/day"},
		{"REPORTS", "5/day"},
		{"DM_PAIR", "2/h"},
		{"DM_READER", "10/h"},
		{"DM_ALERTS", "10/day"},
		{"DM_REACH", "5/day"},
		{"SUSPICIOUS_PHRASES", "cheap coins,gold shop"},
		{"REQUEST_LIMIT", "300"},
		{"WRITE_LIMIT", "60"},
		{"CONNECTION_LIMIT", "5000"},
		{"CONNECTIONS_PER_CLIENT", "50"},
		{"IN_FLIGHT_PER_CLIENT", "10"},
		{"DISCORD_EDIT_EVERY", "10m"},
		{"DISCORD_OPEN_DM_PAUSE", "30m"},
	}},
	{"How long data is kept", "[retention.md](retention.md) says what each of them concerns.",
		[]groupedSetting{
			{"KEEP_CLOSED", "60d"},
			{"KEEP_ARCHIVED", "365d"},
			{"KEEP_EXPIRED", "180d"},
			{"KEEP_NOTICES", "90d"},
			{"KEEP_DELIVERIES", "90d"},
			{"KEEP_BOARD_POSTS", "60d"},
			{"KEEP_VISITORS", "90d"},
			{"KEEP_REPORTS", "180d"},
			{"KEEP_KEYS", "3d"},
		}},
}
