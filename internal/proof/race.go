package proof

// Rounds is how often a test does again what needs no second goroutine, such as
// drawing an input at random: n times, and a tenth of it with the race detector,
// which is slow and has nothing to find there.
func Rounds(n int) int {
	if Race {
		return (n + 9) / 10
	}
	return n
}
