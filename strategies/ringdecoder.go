package strategies

import (
	"errors"
	"fmt"
	"math"

	"github.com/walbench/walbench/walsim/pgformat"
)

// ErrUnknownKey means that a record names a key the key file does not have.
var ErrUnknownKey = errors.New("record names a key that the key file does not have")

// ringDecoder is the Decoder of a whole key file: it picks the key by position
// for positioned designs, and by the key id in the record for the others.
type ringDecoder struct {
	ranges  []decoderRange // in the order of the key file
	records map[KeyID]RecordDecoder
}

// decoderRange is one range of the key file, opened for reading.
type decoderRange struct {
	tli        uint32
	start, end pgformat.LSN // end: start of the next range of the timeline
	page       PageDecoder  // nil unless the design is positioned
	stored     bool         // records carry their nonce
}

func (d *ringDecoder) add(k *Keyring, r *Range, seg pgformat.SegmentSize) error {
	design, err := Lookup(r.Strategy)
	if err != nil {
		return fmt.Errorf("key %d: %w", r.KeyID, err)
	}
	start, err := r.start()
	if err != nil {
		return err
	}
	dr := decoderRange{tli: r.Timeline, start: start, end: math.MaxUint64}
	for i := range d.ranges {
		if o := &d.ranges[i]; o.tli == r.Timeline && o.end > start {
			o.end = start
		}
	}
	if design.Mode != ModeNone {
		if err := d.open(k, r, design, &dr, seg); err != nil {
			return err
		}
	}
	d.ranges = append(d.ranges, dr)
	return nil
}

// open unwraps the range's key and opens its design's decoder.
func (d *ringDecoder) open(k *Keyring, r *Range, design *Design, dr *decoderRange, seg pgformat.SegmentSize) error {
	suite, err := suiteToRead(r.Suite)
	if err != nil {
		return fmt.Errorf("key %d: %w", r.KeyID, err)
	}
	if suite.Mode != design.Mode {
		return fmt.Errorf("key %d: suite %s does not fit strategy %s: %w", r.KeyID, suite.Name, design.Name, ErrKeyFile)
	}
	if k.master == nil {
		return fmt.Errorf("key %d: no master key given: %w", r.KeyID, ErrMasterKey)
	}
	key, err := r.unwrap(k.master)
	if err != nil {
		return err
	}
	s := Start{Key: key, KeyID: r.KeyID, Suite: suite, TLI: r.Timeline, StartLSN: dr.start, SegmentSize: seg}
	if design.Positioned {
		dr.page, err = design.NewPageDecoder(s)
		return err
	}
	dr.stored = true
	d.records[r.KeyID], err = design.NewRecordDecoder(s)
	return err
}

func (d *ringDecoder) Page(tli uint32, at pgformat.LSN, page []byte) {
	end := at + pgformat.LSN(len(page))
	for i := range d.ranges {
		r := &d.ranges[i]
		if r.page == nil || r.tli != tli || r.end <= at || r.start >= end {
			continue
		}
		r.page.Decode(at, page, max(r.start, at), min(r.end, end))
	}
}

func (d *ringDecoder) Record(tli uint32, at pgformat.LSN, rec []byte) (trailer int, err error) {
	for i := range d.ranges {
		r := &d.ranges[i]
		if r.tli == tli && r.start <= at && at < r.end && r.stored {
			return d.stored(rec)
		}
	}
	return 0, nil
}

// stored decrypts a record that carries its nonce, under the key it names: a
// record prepared under an older key may land in a newer range.
func (d *ringDecoder) stored(rec []byte) (trailer int, err error) {
	if len(rec) < pgformat.RecordHeaderSize+RecordNonceSize {
		return 0, fmt.Errorf("record of %d bytes has no nonce: %w", len(rec), ErrUnknownKey)
	}
	id := (*RecordNonce)(rec[len(rec)-RecordNonceSize:]).KeyID()
	dec, ok := d.records[id]
	if !ok {
		return 0, fmt.Errorf("key id %d: %w", id, ErrUnknownKey)
	}
	return dec.Decode(rec)
}
