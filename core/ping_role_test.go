package core_test

import (
	"fmt"
	"testing"

	"tradepost/core"
)

func TestOnlyProfessionsThatABoardNamesHaveAPingRole(t *testing.T) {
	t.Parallel()
	board := func(guild string, named ...core.Category) core.Board {
		return core.Board{GuildID: guild, Filter: core.BoardFilter{Categories: named}}
	}
	boards := []core.Board{board("1"), board("1", "Miner", "Chef"), board("1", "Chef"), board("2", "Carpenter")}
	if got := core.PingedCategories(core.StandardGame(), boards, "1"); fmt.Sprint(len(got)) != "2" || !has(got, "Miner") || !has(got, "Chef") {
		t.Errorf("they are %v", got)
	}
	if got := core.PingedCategories(core.StandardGame(), boards[:1], "1"); len(got) != 0 {
		t.Errorf("a board of everything names %v", got)
	}
}

func TestARoleThatWasDeletedByHandIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := core.PingServer{Roles: []core.PingRole{
		{Category: "Miner", RoleID: "7"}, {Category: "Chef", RoleID: "8", Gone: true}, {Category: "Carpenter"}, // an attempt was begun
	}}
	all := []core.Category{"Miner", "Chef", "Carpenter", "Tailor"}
	if got := fmt.Sprint(s.Lacks(all)); got != "[Carpenter Tailor]" {
		t.Errorf("it lacks %s", got)
	}
	if got := fmt.Sprint(s.Works(all)); got != "[Miner]" {
		t.Errorf("%s work", got)
	}
}

func has(list []core.Category, c core.Category) bool {
	for _, one := range list {
		if one == c {
			return true
		}
	}
	return false
}
