package notify

import "time"

// NoticeDigest is the kind of a direct message that sums up the notices beyond the message quotas.
// No notice is of this kind.
const NoticeDigest Kind = "digest"

// MaxDigest is how many notices one digest covers. Further ones are kept in the inbox only.
const MaxDigest = 100

// DigestFull is why a notice ends that has no room in a digest.
const DigestFull = "Too many messages at once: it is in your inbox only"

// MessageTimes are when a reader was sent messages, newest first: as many as Quotas limits.
type MessageTimes struct {
	Pair []time.Time // by the person who caused the notice, of its PairKinds
	All  []time.Time // by any user
}
