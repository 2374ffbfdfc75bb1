package web

// HoldLimits has a server tell other replicas nothing by itself.
func (s *Server) HoldLimits() {
	s.exchange.mu.Lock()
	defer s.exchange.mu.Unlock()
	s.exchange.due = true
}

// TellLimits has a server tell other replicas now what clients have done.
func (s *Server) TellLimits() {
	s.exchange.run()
	s.HoldLimits()
}
