// Energy, momentum and gap over time, with a line that moves with the time.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { bodyColour } from './colours'
import type { Panel } from './description'
import type { Source } from './source'
import { brief, quantity, wordsFor } from './words'

// Names as in the ledger; what a source does not have is left out.
const PANELS: Panel[] = [
  { title: 'energy', unit: 'J', columns: ['kinetic', 'potential', 'law', 'rest', 'driven', 'scheme'] },
  { title: 'momentum', unit: 'kg m/s', columns: ['momentum_x', 'momentum_y', 'momentum_z'] },
  { title: 'overlap', unit: 'm', columns: ['deepest'] },
]

const ROUND_OFF = 1e-11
const hex = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`

interface Drawn {
  plot: uPlot
  line: HTMLDivElement
  data: () => uPlot.AlignedData
}

export class Plots {
  readonly element = document.createElement('div')
  private drawn: Drawn[] = []
  private time = 0

  constructor(private readonly sources: () => Source[], private readonly go: (time: number) => void) {
    this.element.className = 'plots'
  }

  // One source: all curves of a panel. Several: the first curve of each, by source.
  private series(panel: Panel): { label: string; source: Source; name: string }[] {
    const sources = this.sources()
    const has = (source: Source, name: string) => source.about.ledger.some((column) => column.name === name && column.unit === panel.unit)
    if (sources.length === 1)
      return panel.columns.filter((name) => has(sources[0], name)).map((name) => ({ label: this.label(sources[0], name), source: sources[0], name }))
    return sources
      .filter((source) => has(source, panel.columns[0]))
      .map((source) => ({ label: source.about.law ?? source.about.title, source, name: panel.columns[0] }))
  }

  // Curves of a chain are numbered by body or by contact; they get the names of what they are of.
  private label(source: Source, name: string): string {
    const [kind, number] = name.split(' ')
    if (source.about.kind !== 'chain' || !number) return wordsFor(name)
    const bodies = source.about.bodies.map((body) => body.name).filter((one, i, all) => one !== all[i - 1])
    const at = Number(number) - 1
    if (kind === 'v') return bodies[at] ?? name
    return bodies[at + 1] ? `${bodies[at]} – ${bodies[at + 1]}` : name
  }

  // Needs the element in the page, for its width.
  draw(dark: boolean): void {
    for (const { plot } of this.drawn) plot.destroy()
    this.drawn = []
    this.element.replaceChildren()
    const about = this.sources()[0].about
    if (about.frames < 2 && !about.running) return
    for (const panel of about.panels ?? PANELS) {
      const series = this.series(panel)
      if (series.length) this.drawn.push(this.make(panel, series, dark))
    }
    this.move(this.time)
  }

  private make(panel: Panel, series: { label: string; source: Source; name: string }[], dark: boolean): Drawn {
    const ink = dark ? '#c9d1d9' : '#333'
    const grid = { stroke: dark ? '#30363d' : '#e1e4e8', width: 1 }
    const several = this.sources().length > 1
    const data = (): uPlot.AlignedData => {
      const tables = series.map(({ source, name }) => [source.about.times, source.about.ledger.find((one) => one.name === name)!.values])
      if (!several) return [tables[0][0], ...tables.map((table) => table[1])] as uPlot.AlignedData
      return uPlot.join(tables as uPlot.AlignedData[])
    }
    const box = document.createElement('div')
    this.element.append(box)
    const unit = this.sources()[0].about.unit ?? 's'
    // What is nothing but round-off beside the largest of a plot reads 0.
    const words = (value: number) => quantity(Math.abs(value) < ROUND_OFF * this.largest(series) ? 0 : value, panel.unit)
    const plot = new uPlot(
      {
        width: Math.max(220, this.element.clientWidth - 8),
        height: 128,
        title: `${several ? wordsFor(panel.columns[0]) : panel.title} (${panel.unit})`,
        legend: { live: true, markers: { width: 2 } },
        cursor: { drag: { x: false, y: false }, sync: { key: 'time' } },
        scales: { x: { time: false }, y: { range: (_, low, high) => this.range(panel, low, high) } },
        axes: [
          { label: unit === 'sweeps' ? 'sweeps' : `time (${unit})`, stroke: ink, grid, size: 30, labelSize: 14 },
          { stroke: ink, grid, size: 58, space: 18, values: (_, ticks) => ticks.map(brief) }, // 0 alone says no scale
        ],
        series: [
          { label: 'at', value: (_, time) => (time === null ? '' : quantity(time, unit)) },
          ...series.map(({ label }, i) => ({
            label,
            value: (_: uPlot, value: number | null) => (value === null ? '' : words(value)),
            stroke: hex(bodyColour(i)),
            width: 1.5,
            spanGaps: true,
            points: { show: false },
          })),
        ],
      },
      data(),
      box,
    )
    plot.over.addEventListener('click', (event) => this.go(plot.posToVal(event.offsetX, 'x')))
    const line = document.createElement('div')
    line.className = 'now'
    plot.over.append(line)
    return { plot, line, data }
  }

  // Round-off is drawn as nothing: an overlap of less than a nanometre, a momentum of all that moves at less than one a
  // second.
  private range(panel: Panel, low: number, high: number): [number, number] {
    const { bodies } = this.sources()[0].about
    const fine = panel.title === 'overlap' ? 1e-9 : panel.title === 'momentum' ? 1e-9 * bodies.reduce((sum, body) => sum + body.mass, 0) : 0
    if (Math.max(Math.abs(low), Math.abs(high)) < fine) return [panel.title === 'overlap' ? 0 : -fine, fine]
    if (low === high) return [Math.min(0, 2 * low), Math.max(0, 2 * low) || 1]
    return uPlot.rangeNum(low, high, 0.1, true) as [number, number]
  }

  private largest(series: { source: Source; name: string }[]): number {
    let max = 0
    for (const { source, name } of series)
      for (const value of source.about.ledger.find((one) => one.name === name)!.values) max = Math.max(max, Math.abs(value))
    return max
  }

  // The sources have grown.
  refresh(): void {
    for (const { plot, data } of this.drawn) plot.setData(data())
    this.move(this.time)
  }

  move(time: number): void {
    this.time = time
    for (const { plot, line } of this.drawn) {
      line.style.transform = `translateX(${plot.valToPos(time, 'x')}px)`
      // without a cursor, the numbers are those of the frame on the screen
      const { left = -10 } = plot.cursor
      if (left < 0 && plot.data[0].length) plot.setLegend({ idx: plot.valToIdx(time) }, false)
    }
  }
}
