package model

import "math"

// Step is something that a market is run with. docs/scaling.md has a part for each.
type Step string

// The steps, in the order in which a market meets them.
const (
	OneMachine  Step = "one machine"
	Programs    Step = "several programs"
	Standby     Step = "failover"
	Pooler      Step = "a pooler"
	Cache       Step = "a cache in front"
	Replicas    Step = "read replicas"
	Distributed Step = "a distributed PostgreSQL"
)

// The limits that decide about a step.
const (
	// how busy a processor may be in the busiest hour: above, answers begin to wait
	Busiest        = 0.6
	PageProcessors = 2             // of a machine with one program: what the costs were measured on
	BoardsAProgram = 5_000         // were measured; a program refuses more than 10,000
	Connections    = 18            // to PostgreSQL, of each program
	MostConnected  = 97            // of PostgreSQL's usual 100, three are an administrator's
	LargestDisk    = float64(1e12) // bytes; a base backup or a vacuum of more takes more than a night
	CacheFrom      = 2             // pages that answer nothing but what a cache may keep
	MostMessages   = 45            // a second, in one application (decision 231)
)

// Plan lists the needs of a market.
type Plan struct {
	Question
	Load     Load
	Busy     Busy    // in the busiest hour
	Costs    Market  // that it was computed with
	Beyond   bool    // the market is larger than those that were measured
	Traffic  float64 // bytes a second, without scripts and pictures
	Memory   float64 // bytes, of one program
	Disk     float64 // bytes, of one PostgreSQL
	Steps    []Step
	Pages    int // programs with the page, of PageProcessors each where there are several
	Bots     int // programs with the bot; 0 where the only program has both
	Database int // processors of PostgreSQL's machine, or of the only machine
	Standbys int // of the primary, those that only take over included
	// Connected are the connections that programs hold at most.
	Connected int
}

// Plan computes what a market needs.
func (c Costs) Plan(q Question) Plan {
	if q.Machine == 0 {
		q.Machine = 8
	}
	p := Plan{Question: q, Load: q.Load(), Disk: Disk(q)}
	p.Costs, p.Beyond = c.For(q.Open())
	p.use(1)
	if processors(p.Busy.Both()) <= PageProcessors && p.Load.Boards <= BoardsAProgram &&
		p.Disk <= LargestDisk && !q.Survives {
		p.Steps, p.Pages, p.Database, p.Connected = []Step{OneMachine}, 1, PageProcessors, Connections
		p.Memory = p.Costs.Memory + p.Load.Boards*p.Costs.Board
		return p
	}
	p.Steps = []Step{Programs}
	least := 1
	if q.Survives {
		least = 2
		p.Steps = append(p.Steps, Standby)
		p.Standbys = 2
	}
	p.Bots = least
	// Each page more refreshes for itself what everybody sees, so some more may be needed.
	p.Pages = least
	for range 100 {
		p.use(p.Pages + p.Bots)
		needed := max(least, parts(p.Busy.Program, PageProcessors*Busiest),
			parts(p.Load.Boards, BoardsAProgram))
		if needed <= p.Pages {
			break
		}
		p.Pages = needed
	}
	public := p.Costs.of(p.Load, Kind.Public)
	if p.Costs.of(p.Load, Kind.Cached).Program >= CacheFrom*PageProcessors*Busiest {
		p.Steps = append(p.Steps, Cache)
	}
	p.Memory = p.Costs.Memory + p.Load.Boards*p.Costs.Board/float64(p.Pages)
	p.Connected = (p.Pages + p.Bots) * Connections
	if p.Connected > MostConnected {
		p.Steps = append(p.Steps, Pooler)
	}
	most := float64(q.Machine) * Busiest
	alone := p.Busy.Postgres - public.Postgres
	p.Database = min(max(processors(p.Busy.Postgres), PageProcessors), q.Machine)
	if p.Busy.Postgres > most {
		p.Steps = append(p.Steps, Replicas)
		p.Standbys += parts(public.Postgres, most)
	}
	if alone > most || p.Disk > LargestDisk {
		p.Steps = append(p.Steps, Distributed)
	}
	return p
}

// use has so many programs share the load.
func (p *Plan) use(programs int) {
	p.Load.Programs = programs
	a := p.Costs.ASecond(p.Load)
	p.Busy, p.Traffic = Busy{a.Program / 1e6, a.Postgres / 1e6}, a.Bytes
}

// processors returns the processors needed for a load that keeps so many busy.
func processors(busy float64) int { return parts(busy, Busiest) }

// parts returns the number of parts of the given size that cover all.
func parts(all, each float64) int { return int(math.Ceil(all / each)) }
