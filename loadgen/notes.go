package loadgen

// named puts the workload's name before each note, so that it can stand among
// others.
func named(workload string, notes []string) []string {
	var lines []string
	for _, note := range notes {
		lines = append(lines, workload+": "+note)
	}
	return lines
}
