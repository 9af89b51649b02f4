package loadgen

import "fmt"

// OptionError is an option of a workload with a value that cannot be. Its text
// is one line: option, value, what was expected.
type OptionError struct {
	Option string // as typed, with its dashes
	Value  any
	Want   string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%s %v: want %s", e.Option, e.Value, e.Want)
}

// Is makes every OptionError an unusable input.
func (e *OptionError) Is(target error) bool { return target == ErrInput }
