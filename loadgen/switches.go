package loadgen

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/walsim/pgformat"
)

// errOnlySwitches is an input whose only records are segment switches.
var errOnlySwitches = errors.New("only XLOG/SWITCH records in it: nothing to replay")

// isSwitch recognises XLOG/SWITCH, which ends a segment early. Replaying it
// would end segments of the new log, so it is left out.
func isSwitch(rmid, info uint8) bool {
	return rmid == pgformat.RMXLog && info&pgformat.InfoMask == pgformat.InfoXLogSwitch
}

func switchNotes(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d XLOG/SWITCH records left out", n)}
}
