package discordtest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Person is one of the people of the stand-in.
type Person struct{ ID, Username, DisplayName string }

// People lists everybody but the bot, in the order in which they came.
func (d *Discord) People() []Person {
	d.mu.Lock()
	defer d.mu.Unlock()
	var people []Person
	for _, u := range d.world.Users {
		if !u.Bot {
			people = append(people, Person{ID: u.ID, Username: u.Username, DisplayName: u.GlobalName})
		}
	}
	return people
}

// usernames are as Discord allows them (https://support.discord.com/hc/en-us/articles/12620128861463).
var usernames = regexp.MustCompile(`^[a-z0-9_.]{2,32}$`)

const maxDisplayName = 32

// colours are given to those who come later, one after another.
var colours = []string{"#2f7d8c", "#8c4a6b", "#5b7f3a", "#7a5c3e", "#4a5fa8", "#a0522d"}

// join adds a member to the server.
func (d *Discord) join(username, displayName string) *user {
	u := &user{
		ID: d.newID(), Username: username, GlobalName: displayName, Email: username + "@example.com",
		Verified: true,
		Locale:   "en-US", Colour: colours[len(d.world.Users)%len(colours)],
		membership: membership{Permissions: permMember, Joined: d.now()},
	}
	d.world.Users = append(d.world.Users, u)
	d.announce()
	return u
}

func (d *Discord) pageJoin(_ context.Context, in struct {
	Name     string `json:"name"`
	Username string `json:"username"`
}) (any, error) {
	in.Name = strings.TrimSpace(in.Name)
	switch {
	case !usernames.MatchString(in.Username) || strings.Contains(in.Username, ".."):
		return nil, errors.New("a username has 2 to 32 small letters, digits, dots and underscores")
	case length(in.Name) > maxDisplayName:
		return nil, fmt.Errorf("a name has up to %d characters", maxDisplayName)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.world.user(in.Username) != nil {
		return nil, errors.New("another user has that username")
	}
	u := d.join(in.Username, in.Name)
	return map[string]string{"player": u.ID, "username": u.Username}, nil
}
