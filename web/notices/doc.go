// Package notices has the operations of the inbox and of its settings.
package notices

import "tradepost/web/kernel"

// operations are the operations of the inbox.
type operations struct{ *kernel.API }
