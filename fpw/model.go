package fpw

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Model is a checked [Config] with its plan. It never changes and may be used by
// any number of sessions at once.
type Model struct {
	config Config
	draw   drawer
	kinds  kinds
	// leafPages is of one index.
	leafPages uint32
	plan      *plan
	reach     int64
	cost      costs
	heap      float64 // mean stored length of a heap page's image, bytes
	leaf      float64
	// sample is pages of every shape: what lengths are taken from, and the gallery of
	// sessions whose content nobody looks at. Nobody writes it.
	sample gallery
}

// imagesTolerance is how far a held number of images may be off.
const imagesTolerance = 0.05

// New checks c and makes the plan: about 10 ns a planned row, and two bits of
// memory. An error wraps [ErrConfig].
func New(c Config) (*Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	m := &Model{config: c, draw: c.drawer(), kinds: newKinds(&c), leafPages: uint32(c.Table.LeafPages())}
	m.sample = newGallery(&c, m.kinds.first, rand.NewPCG(planSeed, 0))
	p := newPress(c.Compression)
	m.heap, m.leaf = p.mean(m.sample.heap), p.mean(m.sample.leaf)
	m.cost = newCosts(&m.kinds, m.heap, m.leaf)
	if !c.Phase.cycles() {
		m.reach = c.reach()
	}
	if got := c.images(m.reach); c.Phase.Kind == Images && math.Abs(got/c.Phase.Images-1) > imagesTolerance {
		return nil, fmt.Errorf("%v: tables of %d heap pages give %.3g images an update at nearest, take more rows: %w",
			c.Phase, c.Table.HeapPages()*int64(c.Tables), got, ErrConfig)
	}
	m.plan = makePlan(&m.config, &m.kinds, m.cost, m.reach)
	return m, nil
}

// Config is what the model was made from.
func (m *Model) Config() Config { return m.config }

// HeapImageBytes and LeafImageBytes are the mean stored lengths of an image.
func (m *Model) HeapImageBytes() float64 { return m.heap }

// LeafImageBytes: see HeapImageBytes.
func (m *Model) LeafImageBytes() float64 { return m.leaf }

// Reach is by how many transactions the redo pointer trails in a held phase, 0 in
// the others.
func (m *Model) Reach() int64 { return m.reach }

// CycleRounds is how many transactions each of updaters updaters does from
// checkpoint to checkpoint, 0 if the phase has none.
func (m *Model) CycleRounds(updaters int) int64 {
	if m.plan.cycle == 0 {
		return 0
	}
	return max(1, m.plan.cycle/int64(updaters))
}

// CycleCommits is the number of transactions of all updaters from checkpoint to
// checkpoint, a multiple of their number, 0 if the phase has none.
func (m *Model) CycleCommits(updaters int) int64 {
	return m.CycleRounds(updaters) * int64(updaters)
}
