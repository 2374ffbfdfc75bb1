package serving

import (
	"bytes"
	"net/http"

	"tradepost/web/kernel"
)

var msgBodyUnexpected = kernel.Message("problem_body_unexpected")

// ReadBody reads the whole body of a request before it takes a slot. GET and HEAD requests must have none.
func (s *Front) ReadBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !kernel.HasBody(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			s.Reject(w, r, kernel.NewProblem(http.StatusBadRequest, msgBodyUnexpected))
			return
		}
		body, problem := s.bodies.read(w, r)
		if problem != nil {
			s.Reject(w, r, problem)
			return
		}
		r.Body, r.ContentLength = readyBody{bytes.NewReader(body)}, int64(len(body))
		next.ServeHTTP(w, r)
	})
}
