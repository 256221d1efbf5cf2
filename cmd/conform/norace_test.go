//go:build !race

package main

// raceDetector says that the binary under test is built with the race detector.
const raceDetector = false
