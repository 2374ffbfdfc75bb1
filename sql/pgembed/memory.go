//go:build unix

package pgembed

import (
	"math"
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const mebibyte = 1 << 20

// sharedBuffers is the server's shared_buffers setting. It allocates only the part that it uses.
func sharedBuffers() string {
	return strconv.FormatUint(buffersOf(memory())/mebibyte, 10) + "MB"
}

// memory returns how many bytes this process and its children may use: the machine's memory, or a container's
// limit when that is lower. It returns 0 where neither is known.
func memory() uint64 {
	least := uint64(math.MaxUint64)
	for _, from := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup} {
		if bytes, err := from(); err == nil && bytes > 0 {
			least = min(least, bytes)
		}
	}
	if least == math.MaxUint64 {
		return 0
	}
	return least
}

// buffersOf returns an eighth of the memory: half of the starting value in PostgreSQL's manual for a
// dedicated machine (https://www.postgresql.org/docs/current/runtime-config-resource.html). 64 MB are enough
// for a market of 50,000 requests.
func buffersOf(memory uint64) uint64 {
	return min(max(memory/8, 64*mebibyte), 1024*mebibyte)
}
