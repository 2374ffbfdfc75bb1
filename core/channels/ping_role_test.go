package channels_test

import (
	"fmt"
	"testing"

	"tradepost/core/channels"
	"tradepost/core/game"
)

func TestOnlyProfessionsThatABoardNamesHaveAPingRole(t *testing.T) {
	t.Parallel()
	board := func(guild string, named ...game.Category) channels.Board {
		return channels.Board{GuildID: guild, Filter: channels.BoardFilter{Categories: named}}
	}
	boards := []channels.Board{board("1"), board("1", "Miner", "Chef"), board("1", "Chef"), board("2", "Carpenter")}
	if got := channels.PingedCategories(game.Standard(), boards, "1"); fmt.Sprint(len(got)) != "2" || !has(got, "Miner") || !has(got, "Chef") {
		t.Errorf("they are %v", got)
	}
	if got := channels.PingedCategories(game.Standard(), boards[:1], "1"); len(got) != 0 {
		t.Errorf("a board of everything names %v", got)
	}
}

func TestARoleThatWasDeletedByHandIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := channels.PingServer{Roles: []channels.PingRole{
		{Category: "Miner", RoleID: "7"}, {Category: "Chef", RoleID: "8", Gone: true}, {Category: "Carpenter"}, // an attempt was begun
	}}
	all := []game.Category{"Miner", "Chef", "Carpenter", "Tailor"}
	if got := fmt.Sprint(s.Lacks(all)); got != "[Carpenter Tailor]" {
		t.Errorf("it lacks %s", got)
	}
	if got := fmt.Sprint(s.Works(all)); got != "[Miner]" {
		t.Errorf("%s work", got)
	}
}

func has(list []game.Category, c game.Category) bool {
	for _, one := range list {
		if one == c {
			return true
		}
	}
	return false
}
