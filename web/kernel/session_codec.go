package kernel

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"

	"tradepost/core/people"
)

// sessionCodec reads and writes the data of sessions. They are stored as gob, which an earlier version
// beside this one reads, too. Decoding gob takes longer than all else that is done to know who asks, so
// what a user's session says is read from the columns beside the data (describedStore) and comes here as
// encodeFound writes it.
type sessionCodec struct{ scs.GobCodec }

// columnsMark begins what encodeFound writes. No gob begins with it: it would be a message without a length.
const columnsMark = 0

// sessionColumns are the values of a user's session.
type sessionColumns struct {
	User, Seen, Since int64 // as under keyUser, keySeen and keySince
	ID, Agent         string
	Ends              int64 // unix microseconds
}

func encodeFound(f people.FoundSession) ([]byte, error) {
	text, err := json.Marshal(sessionColumns{
		User: int64(f.User.ID), Seen: f.UsedAt.Unix(), Since: f.Since.UnixMicro(), ID: string(f.ID),
		Agent: f.Agent, Ends: f.Ends.UnixMicro(),
	})
	return append([]byte{columnsMark}, text...), err
}

// Decode implements scs.Codec.
func (c sessionCodec) Decode(data []byte) (time.Time, map[string]any, error) {
	if len(data) == 0 || data[0] != columnsMark {
		return c.GobCodec.Decode(data)
	}
	var s sessionColumns
	if err := json.Unmarshal(data[1:], &s); err != nil {
		return time.Time{}, nil, fmt.Errorf("decode session: %w", err)
	}
	return time.UnixMicro(s.Ends).UTC(),
		map[string]any{keyUser: s.User, keySeen: s.Seen, keySince: s.Since, keyID: s.ID,
			keyAgent: s.Agent}, nil
}
