package web

import "time"

// HoldLimits has a server tell other replicas nothing by itself.
func (s *Server) HoldLimits() { s.front.Exchange.After = func(time.Duration, func()) {} }

// TellLimits has a server tell other replicas now what clients have done.
func (s *Server) TellLimits() { s.front.Exchange.Run() }
