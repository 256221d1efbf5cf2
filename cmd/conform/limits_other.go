//go:build !unix

package main

// limitsAsErrors does nothing: the system has no signal for its limits.
func limitsAsErrors() {}
