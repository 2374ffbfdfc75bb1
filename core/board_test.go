package core_test

import (
	"testing"

	"tradepost/core"
)

func TestSharedMessage(t *testing.T) {
	t.Parallel()
	posts := func(messageOf int64, n int, finished bool) (all []core.BoardPost) {
		for range n {
			all = append(all, core.BoardPost{MessageOf: messageOf, Finished: finished})
		}
		return all
	}
	for name, test := range map[string]struct {
		recent    [][]core.BoardPost
		messageOf int64
		shared    bool
	}{
		"the first":                       {},
		"the second":                      {[][]core.BoardPost{posts(0, 1, false)}, 0, true},
		"the third":                       {[][]core.BoardPost{posts(0, 1, false), posts(7, 1, false)}, 7, true},
		"the last of a message":           {[][]core.BoardPost{posts(0, 1, false), posts(7, 8, false)}, 7, true},
		"beyond a message":                {[][]core.BoardPost{posts(0, 1, false), posts(7, 9, false)}, 0, true},
		"the second of the next message":  {[][]core.BoardPost{posts(0, 1, false), posts(7, 9, false), posts(16, 1, false)}, 16, true},
		"in any order":                    {[][]core.BoardPost{posts(16, 1, false), posts(7, 9, false), posts(0, 1, true)}, 16, true},
		"after the message was finished":  {[][]core.BoardPost{posts(0, 1, false), posts(7, 2, true)}, 0, true},
		"some of the message is finished": {[][]core.BoardPost{posts(0, 1, false), posts(7, 2, true), posts(7, 1, false)}, 7, true},
		"a minute after the first":        {[][]core.BoardPost{posts(7, 3, false)}, 0, false},
	} {
		var recent []core.BoardPost
		for _, some := range test.recent {
			recent = append(recent, some...)
		}
		if messageOf, shared := core.SharedMessage(recent); messageOf != test.messageOf || shared != test.shared {
			t.Errorf("%s: %d, %v; want %d, %v", name, messageOf, shared, test.messageOf, test.shared)
		}
	}
}
