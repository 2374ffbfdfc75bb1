package core

// A test is not counted, of what and by what and those of whose 0123456789012345678901234567890123456789012345678901234567890123456789
func (m *Market) tested() {}
