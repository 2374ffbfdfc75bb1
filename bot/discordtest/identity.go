package discordtest

import "slices"

func (c *call) getMe() (any, *Error) {
	if c.grant == nil {
		return c.world.bot().self(false), nil
	}
	if !slices.Contains(c.grant.Scopes, "identify") {
		return nil, plainError(401)
	}
	return c.world.userByID(c.grant.UserID).self(slices.Contains(c.grant.Scopes, "email")), nil
}

func (c *call) getUser() (any, *Error) {
	u := c.world.userByID(c.params["user_id"])
	if u == nil {
		return nil, refuse(10013)
	}
	return publicUser(u), nil
}

// publicUser is an account with everything that the endpoint for one account adds.
func publicUser(u *user) any {
	return struct {
		User
		Banner           *string `json:"banner"`
		AccentColor      *int    `json:"accent_color"`
		AvatarDecoration *string `json:"avatar_decoration_data"`
		Collectibles     *string `json:"collectibles"`
	}{User: u.wire()}
}

func (c *call) createDM() (any, *Error) {
	var req struct {
		RecipientID string `json:"recipient_id"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	u := c.world.userByID(req.RecipientID)
	if u == nil {
		return nil, refuse(10013)
	}
	if u.Bot {
		return nil, refuse(50007)
	}
	if c.world.dm(u.ID) == nil && c.limits.slow(c.now(), "conversations", c.limits.dms) > 0 {
		return nil, refuse(40003)
	}
	return c.channelWire(c.openDM(u.ID)), nil
}

func (c *call) getMyGuilds() (any, *Error) {
	u := c.world.bot()
	if c.grant != nil {
		if u = c.world.userByID(c.grant.UserID); !slices.Contains(c.grant.Scopes, "guilds") {
			return nil, plainError(401)
		}
	}
	list := []any{}
	for _, g := range c.world.Guilds {
		if c.world.member(u, g.ID) != nil {
			list = append(list, map[string]any{
				"id": g.ID, "name": g.Name, "icon": nil, "banner": nil, "owner": g.OwnerID == u.ID,
				"permissions": bits(c.world.permissionsOf(u, g)), "features": []any{},
			})
		}
	}
	return list, nil
}

// guild is the one in the path, if the bot is in it.
func (c *call) guild() (*guild, *Error) {
	if id := c.params["guild_id"]; c.world.botIn(id) {
		return c.world.guild(id), nil
	}
	return nil, refuse(10004)
}

func (c *call) getGuild() (any, *Error) {
	g, apiErr := c.guild()
	if apiErr != nil {
		return nil, apiErr
	}
	return c.guildWire(g), nil
}

func (d *Discord) guildWire(g *guild) map[string]any {
	return map[string]any{
		"id": g.ID, "name": g.Name, "icon": nil, "description": nil, "home_header": nil, "splash": nil,
		"discovery_splash": nil,
		"features":         []any{}, "banner": nil, "owner_id": g.OwnerID, "application_id": nil,
		"region": "deprecated", "afk_channel_id": nil,
		"afk_timeout": 300, "system_channel_id": nil, "system_channel_flags": 0, "widget_enabled": false,
		"widget_channel_id":  nil,
		"verification_level": 1, "roles": g.rolesWire(), "default_message_notifications": 1, "mfa_level": 0,
		"explicit_content_filter": 0,
		"max_presences":           nil, "max_members": 500000, "max_stage_video_channel_users": 50,
		"max_video_channel_users": 25,
		"vanity_url_code":         nil, "premium_tier": 0, "premium_subscription_count": 0,
		"preferred_locale": g.Locale, "rules_channel_id": nil,
		"safety_alerts_channel_id": nil, "public_updates_channel_id": nil,
		"premium_progress_bar_enabled":                 false,
		"premium_progress_bar_enabled_user_updated_at": nil, "nsfw": false, "nsfw_level": 0,
		"emojis": []any{}, "stickers": []any{}, "incidents_data": nil,
	}
}

func (c *call) getRoles() (any, *Error) {
	g, apiErr := c.guild()
	if apiErr != nil {
		return nil, apiErr
	}
	return g.rolesWire(), nil
}

func (c *call) getGuildChannels() (any, *Error) {
	g, apiErr := c.guild()
	if apiErr != nil {
		return nil, apiErr
	}
	list := []any{}
	for _, ch := range c.world.Channels {
		if ch.GuildID == g.ID && ch.Thread == nil &&
			c.world.permissionsIn(c.world.bot(), ch)&permViewChannel != 0 {
			list = append(list, c.channelWire(ch))
		}
	}
	return list, nil
}

func (c *call) getMember() (any, *Error) {
	g, apiErr := c.guild()
	if apiErr != nil {
		return nil, apiErr
	}
	u := c.world.userByID(c.params["user_id"])
	if u == nil {
		return nil, refuse(10013)
	}
	m := c.world.member(u, g.ID)
	if m == nil {
		return nil, refuse(10007)
	}
	return u.member(m), nil
}

func (c *call) getChannel() (any, *Error) {
	ch, apiErr := c.channel()
	if apiErr != nil {
		return nil, apiErr
	}
	return c.channelWire(ch), nil
}

func (c *call) getApplication() (any, *Error) {
	a := &c.world.App
	return map[string]any{
		"id": a.ID, "name": a.Name, "icon": nil, "description": a.Description, "type": nil,
		"verify_key": a.PublicKey, "flags": 0, "flags_new": "0",
		"bot": c.world.bot().wire(), "bot_public": !a.Restricted, "bot_require_code_grant": false,
		"redirect_uris":             a.RedirectURIs,
		"interactions_endpoint_url": orNull(a.InteractionsURL), "role_connections_verification_url": nil,
		"owner":                   c.world.userByID(c.world.home().OwnerID).wire(),
		"approximate_guild_count": c.world.botGuilds(), "approximate_user_install_count": 0,
		"approximate_user_authorization_count": len(c.world.Grants),
		"explicit_content_filter":              0, "team": nil,
		"eligible_oauth2_scopes":   []string{"identify", "email", "guilds"},
		"integration_types_config": map[string]any{"0": map[string]any{}, "1": map[string]any{}},
	}, nil
}

// orNull returns null for an empty text.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (c *call) getAuthorization() (any, *Error) {
	a := &c.world.App
	answer := map[string]any{
		"application": map[string]any{"id": a.ID, "name": a.Name, "icon": nil, "description": a.Description,
			"type":       nil,
			"verify_key": a.PublicKey, "flags": 0, "flags_new": "0", "bot_public": !a.Restricted,
			"bot_require_code_grant": false},
		"scopes": []string{}, "expires": stamp(c.now()),
	}
	if c.grant == nil {
		return nil, plainError(401) // a bot's token is not a grant
	}
	answer["scopes"], answer["expires"] = c.grant.Scopes, stamp(c.grant.Expires)
	if slices.Contains(c.grant.Scopes, "identify") {
		answer["user"] = publicUser(c.world.userByID(c.grant.UserID))
	}
	return answer, nil
}

func (c *call) getGateway() (any, *Error) {
	return map[string]any{"url": c.gateway.url()}, nil
}

func (c *call) getGatewayBot() (any, *Error) {
	return map[string]any{"url": c.gateway.url(), "shards": 1,
		"session_start_limit": c.gateway.startLimit()}, nil
}
