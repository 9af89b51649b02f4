package simtime

// A sync of a varying device takes its time multiplied by one of these, over 1024:
// the middles of 64 equal parts of a distribution whose logarithm is even over a
// factor of 50, with a mean of 1. One disk's fdatasync was seen anywhere between
// 0.06 and 3 ms over some hours; that syncs of one run differ in this way is assumed.
// Group commit needs that: a sync that is long collects no more
// commits than there are updaters, so that the mean group is smaller than that of
// syncs which all take the mean.
var variation = [64]Duration{
	84, 90, 95, 101, 108, 114, 122, 129, 137, 146, 155, 165, 176, 187, 198, 211,
	224, 238, 253, 269, 286, 304, 323, 344, 366, 389, 413, 439, 467, 496, 528, 561,
	596, 634, 674, 716, 761, 809, 860, 914, 972, 1033, 1098, 1168, 1241, 1320, 1403, 1491,
	1585, 1685, 1791, 1904, 2024, 2152, 2287, 2432, 2585, 2748, 2921, 3105, 3301, 3509, 3730, 3969,
}

// vary is d multiplied by the next factor. They are drawn in an order that is always
// the same: the upper bits of a linear congruential generator (D. E. Knuth's MMIX).
func (d *Device) vary(t Duration) Duration {
	d.drawn = d.drawn*6364136223846793005 + 1442695040888963407
	return t * variation[d.drawn>>58] / 1024
}
