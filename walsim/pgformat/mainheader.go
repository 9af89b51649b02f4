package pgformat

// MainHeaderLen is the size of the header that announces n bytes of main data:
// none, short (id and one length byte) or long (id and four).
func MainHeaderLen(n int) int {
	switch {
	case n == 0:
		return 0
	case n <= 255:
		return 2
	}
	return 5
}
