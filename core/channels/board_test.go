package channels_test

import (
	"testing"

	"tradepost/core/channels"
)

func TestSharedMessage(t *testing.T) {
	t.Parallel()
	posts := func(messageOf int64, n int, finished bool) (all []channels.BoardPost) {
		for range n {
			all = append(all, channels.BoardPost{MessageOf: messageOf, Finished: finished})
		}
		return all
	}
	for name, test := range map[string]struct {
		recent    [][]channels.BoardPost
		messageOf int64
		shared    bool
	}{
		"the first":                       {},
		"the second":                      {[][]channels.BoardPost{posts(0, 1, false)}, 0, true},
		"the third":                       {[][]channels.BoardPost{posts(0, 1, false), posts(7, 1, false)}, 7, true},
		"the last of a message":           {[][]channels.BoardPost{posts(0, 1, false), posts(7, 8, false)}, 7, true},
		"beyond a message":                {[][]channels.BoardPost{posts(0, 1, false), posts(7, 9, false)}, 0, true},
		"the second of the next message":  {[][]channels.BoardPost{posts(0, 1, false), posts(7, 9, false), posts(16, 1, false)}, 16, true},
		"in any order":                    {[][]channels.BoardPost{posts(16, 1, false), posts(7, 9, false), posts(0, 1, true)}, 16, true},
		"after the message was finished":  {[][]channels.BoardPost{posts(0, 1, false), posts(7, 2, true)}, 0, true},
		"some of the message is finished": {[][]channels.BoardPost{posts(0, 1, false), posts(7, 2, true), posts(7, 1, false)}, 7, true},
		"a minute after the first":        {[][]channels.BoardPost{posts(7, 3, false)}, 0, false},
	} {
		var recent []channels.BoardPost
		for _, some := range test.recent {
			recent = append(recent, some...)
		}
		if messageOf, shared := channels.SharedMessage(recent); messageOf != test.messageOf || shared != test.shared {
			t.Errorf("%s: %d, %v; want %d, %v", name, messageOf, shared, test.messageOf, test.shared)
		}
	}
}
