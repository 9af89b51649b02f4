package simtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// member is what may stand somewhere in a profile's document.
type member struct {
	members  map[string]*member // of an object with names of its own
	each     *member            // of an object with any names
	optional bool
	some     bool // it must not be null
}

// profileMembers is the whole document. What stands in values is checked when they
// are decoded.
var profileMembers = &member{members: map[string]*member{
	"schema": {}, "name": {}, "machine": {}, "date": {}, "implementation": {},
	"host": {optional: true}, "cores": {optional: true}, "clients": {optional: true}, "warnings": {optional: true},
	"numbers": {each: numberMembers}, "suites": {each: &member{each: numberMembers}},
}}

var numberMembers = &member{members: map[string]*member{"value": {some: true}, "source": {}, "from": {}}}

// checkMembers finds what encoding/json takes without a word: a name in other case,
// a name that is there twice, and a missing value, which it makes zero.
func checkMembers(data []byte) error {
	return profileMembers.check(json.NewDecoder(bytes.NewReader(data)), "")
}

func (m *member) check(d *json.Decoder, path string) error {
	if m.members == nil && m.each == nil {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if m.some && string(value) == "null" {
			return fmt.Errorf("%s is null", path)
		}
		return nil
	}
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return fmt.Errorf("%s: want an object", orDocument(path))
	}
	return m.checkObject(d, path)
}

// checkObject checks an object whose brace has been read.
func (m *member) checkObject(d *json.Decoder, path string) error {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name := t.(string) // a decoder gives nothing else for a key
		at := joinPath(path, name)
		if seen[name] {
			return fmt.Errorf("%s is there twice", at)
		}
		seen[name] = true
		next := m.each
		if next == nil {
			next = m.members[name]
		}
		if next == nil {
			return fmt.Errorf("nothing uses %s", at)
		}
		if err := next.check(d, at); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.members)) {
		if !seen[name] && !m.members[name].optional {
			return fmt.Errorf("%s is missing", joinPath(path, name))
		}
	}
	_, err := d.Token() // the closing brace
	return err
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + ": " + name
}

func orDocument(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}
