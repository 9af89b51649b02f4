package simtime

// A sync of a varying device takes its time multiplied by one of these, over 1024:
// the means of 64 equal parts, in order, of what 51,200 fdatasync calls took, each
// behind a write of 8 kB over a file, on the disk of a virtual machine within a minute
// (2026-12-01). Their mean was 1.06 ms; half of them took less than 0.22 of it, one in
// twenty less than 0.10, one in twenty more than 3.7. That other disks vary alike is
// assumed. Group commit needs it: most syncs are much shorter than the mean, and
// collect fewer commits; a long one collects no more than there are updaters.
var variation = [64]Duration{
	88, 99, 104, 108, 110, 113, 116, 118, 121, 125, 127, 130, 133, 136, 139, 142,
	145, 148, 151, 155, 159, 162, 165, 170, 174, 179, 185, 190, 196, 203, 211, 220,
	230, 239, 250, 262, 277, 295, 311, 324, 337, 354, 384, 430, 492, 595, 738, 931,
	1153, 1370, 1576, 1772, 2004, 2248, 2513, 2799, 3138, 3466, 3750, 3796, 3821, 4156, 5123, 11680,
}

// varied is t multiplied by the next factor of a device that varies. They are drawn
// with the upper bits of a linear congruential generator (D. E. Knuth's MMIX).
func (d *Device) varied(t Duration) Duration {
	if !d.Varies {
		return t
	}
	d.Draws = d.Draws*6364136223846793005 + 1442695040888963407
	return t * variation[d.Draws>>58] / 1024
}
