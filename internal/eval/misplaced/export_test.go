package misplaced

// Read counts the pairings that were read, and those that ask for what is there.
func Read() (here, all int) {
	for _, has := range read() {
		if all++; has {
			here++
		}
	}
	return here, all
}
