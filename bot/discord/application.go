package discord

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"
)

// permission is one of Discord's, by the name that its pages give it.
type permission struct {
	name string
	bit  int64
}

// invited are the permissions that the bot always asks for when it is invited.
var invited = []permission{
	{"View Channels", discordgo.PermissionViewChannel},
	{"Send Messages", discordgo.PermissionSendMessages},
	{"Send Messages in Threads", discordgo.PermissionSendMessagesInThreads},
	{"Embed Links", discordgo.PermissionEmbedLinks},
	{"Read Message History", discordgo.PermissionReadMessageHistory},
}

// threaded is the permission that the bot also asks for where each trade has a thread.
var threaded = permission{"Create Private Threads", discordgo.PermissionCreatePrivateThreads}

// pinging is the permission that the bot asks for in a separate invitation, for servers that want roles to
// ping.
var pinging = permission{"Manage Roles", discordgo.PermissionManageRoles}

// MayPost reports whether permissions are enough to keep a message in a channel up to date: to send it, to
// find it again, and to edit it.
func MayPost(permissions int64, thread bool) bool {
	send := int64(discordgo.PermissionSendMessages)
	if thread {
		send = discordgo.PermissionSendMessagesInThreads
	}
	return HasPermissions(permissions, send|discordgo.PermissionViewChannel|discordgo.PermissionEmbedLinks|
		discordgo.PermissionReadMessageHistory)
}

// InvitedPermissions are the permissions that the bot always asks for when it is invited, as bits.
func InvitedPermissions() int64 { return bitsOf(invited) }

func bitsOf(permissions []permission) (bits int64) {
	for _, p := range permissions {
		bits |= p.bit
	}
	return bits
}

// asked are the permissions that the bot asks for when it is invited, with or without threads of trades.
func asked(threads bool) []permission {
	if !threads {
		return invited
	}
	return append(slices.Clone(invited), threaded)
}

// InviteURL is where a member who manages a server invites the bot to it, with the scopes and permissions
// that it needs.
func InviteURL(clientID string, threads bool) string {
	return inviteURL(clientID, bitsOf(asked(threads)))
}

// PingInviteURL is InviteURL for a server in which the bot makes and gives roles to ping.
func PingInviteURL(clientID string, threads bool) string {
	return inviteURL(clientID, bitsOf(asked(threads))|pinging.bit)
}

func inviteURL(clientID string, permissions int64) string {
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s"+
		"&scope=bot+applications.commands&permissions=%d", clientID, permissions)
}

// Application is Discord's record of the application that a token belongs to.
type Application struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	RedirectURIs []string `json:"redirect_uris"` // registered for signing in
	// everyone may invite the bot, not only the application's owner
	Public bool `json:"bot_public"`

	// where interactions are sent instead of to the gateway; mostly empty
	InteractionsURL string `json:"interactions_endpoint_url"`
}

// Application asks Discord about the application of the token. It returns ErrToken when Discord does not
// accept that.
func (c *Client) Application(ctx context.Context) (Application, error) {
	var app Application
	err := c.get(ctx, "/applications/@me", discordgo.EndpointApplication("@me"), &app)
	if IsUnauthorized(err) {
		return Application{}, ErrToken
	}
	return app, err
}

func (c *Client) get(ctx context.Context, route, url string, out any) error {
	return Retry(ctx, func(ctx context.Context) error {
		return c.do(ctx, request{method: "GET", route: route, url: url}, out)
	})
}

// Inspection is Discord's record of an application and its servers.
type Inspection struct {
	ApplicationID   string
	ApplicationName string
	Public          bool     // everyone may invite the bot
	RedirectURIs    []string // registered for signing in
	InteractionsURL string   // interactions are sent there, and not to the bot; mostly empty
	Servers         []Server // that the bot was invited to; 100 at most
}

// Server is a server that the bot was invited to.
type Server struct {
	Name    string
	Missing []string // permissions that the bot lacks, as Discord's pages call them
	Pings   bool     // the bot may make and give roles to ping
}

// Inspect asks Discord about the application of a bot's token, with or without threads of trades. It fails
// with ErrToken when Discord does not accept the token.
func Inspect(
	ctx context.Context, token string, transport http.RoundTripper, threads bool,
) (Inspection, error) {
	c := NewClient(ClientOptions{Token: token, Transport: transport, Agent: "https://discord.com"})
	app, err := c.Application(ctx)
	if err != nil {
		return Inspection{}, err
	}
	var servers []discordgo.UserGuild
	if err := c.get(ctx, "/users/@me/guilds", discordgo.EndpointUserGuilds("@me"), &servers); err != nil {
		return Inspection{}, err
	}
	found := Inspection{ApplicationID: app.ID, ApplicationName: app.Name, Public: app.Public,
		RedirectURIs: app.RedirectURIs, InteractionsURL: app.InteractionsURL}
	for _, s := range servers {
		found.Servers = append(found.Servers,
			Server{Name: s.Name, Missing: missing(s.Permissions, asked(threads)),
				Pings: HasPermissions(s.Permissions, pinging.bit)})
	}
	return found, nil
}

// missing names the wanted permissions that the bot lacks.
func missing(permissions int64, wanted []permission) (names []string) {
	for _, p := range wanted {
		if !HasPermissions(permissions, p.bit) {
			names = append(names, p.name)
		}
	}
	return names
}
