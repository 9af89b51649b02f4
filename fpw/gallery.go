package fpw

import "math/rand/v2"

// Pages a session can show: together larger than a core's second-level cache
// share of the log path, as PostgreSQL's shared buffers are, and small enough
// that 64 sessions fit into memory easily.
const (
	galleryHeap = 128
	galleryLeaf = 32
)

// gallery holds the pages of one session: pictures of real pages, plain. The
// bytes of its heap pages also serve as the content of rows.
type gallery struct {
	heap, leaf []picture
	slab       []byte // of all heap pages, one after the other
}

// gallery is that of a session. What it draws for its pages does not move the
// session's own generator, so that with the model's sample in their place
// everything else is as it was.
func (m *Model) gallery(o *SessionOptions) gallery {
	draw := rand.NewPCG(o.Draw.Uint64(), o.Draw.Uint64())
	if o.Blank && m.config.Compression == Off {
		return m.sample
	}
	return newGallery(&m.config, m.kinds.first, draw)
}

func newGallery(c *Config, first rowKind, draw *rand.PCG) gallery {
	p := newPainter(c, draw)
	var g gallery
	g.paintHeap(c, &p, first)
	g.paintLeaves(c, &p)
	return g
}

func (g *gallery) paintHeap(c *Config, p *painter, first rowKind) {
	size := 0
	for i := range galleryHeap {
		size += c.shape(first, i).space(c.Table)
	}
	g.slab = make([]byte, size)
	g.heap = make([]picture, galleryHeap)
	rest := g.slab
	for i := range g.heap {
		s := c.shape(first, i)
		n := s.space(c.Table)
		block := uint32(p.draw.Uint64() % uint64(c.Table.HeapPages()))
		g.heap[i] = p.heapPage(rest[:n:n], s, block)
		rest = rest[n:]
	}
}

func (g *gallery) paintLeaves(c *Config, p *painter) {
	rest := make([]byte, galleryLeaf*leafSpace(leafItems[len(leafItems)-1]))
	g.leaf = make([]picture, galleryLeaf)
	for i := range g.leaf {
		items := leafItems[0]
		if c.Phase.Kind != Fresh {
			items = leafItems[1+i%(len(leafItems)-1)]
		}
		n := leafSpace(items)
		leaf := uint32(p.draw.Uint64() % uint64(c.Table.LeafPages()))
		g.leaf[i] = p.leafPage(rest[:n:n], items, leaf)
		rest = rest[n:]
	}
}

// mean is the mean stored length of pictures, in bytes.
func (p *press) mean(of []picture) float64 {
	sum := 0
	for i := range of {
		sum += len(p.squeeze(&of[i]).bytes)
	}
	return float64(sum) / float64(len(of))
}
