// Energy, momentum and gap over time, with a line that moves with the film.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { bodyColour } from './colours'
import type { Film } from './film'

interface Panel {
  title: string
  unit: string
  columns: string[]
}

// Names as in the ledger; what a film does not have is left out.
const PANELS: Panel[] = [
  { title: 'energy', unit: 'J', columns: ['kinetic', 'potential', 'law', 'rest', 'driven', 'scheme'] },
  { title: 'momentum', unit: 'kg m/s', columns: ['momentum_x', 'momentum_y', 'momentum_z'] },
  { title: 'overlap', unit: 'm', columns: ['deepest'] },
]

const hex = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`

export class Plots {
  readonly element = document.createElement('div')
  private readonly plots: uPlot[] = []
  private time = 0

  constructor(private readonly film: Film, private readonly go: (time: number) => void) {
    this.element.className = 'plots'
  }

  // Needs the element in the page, for its width.
  draw(dark: boolean): void {
    for (const plot of this.plots) plot.destroy()
    this.plots.length = 0
    this.element.replaceChildren()
    const { ledger, times } = this.film.about
    const ink = dark ? '#c9d1d9' : '#333'
    const grid = { stroke: dark ? '#30363d' : '#e1e4e8', width: 1 }
    for (const panel of PANELS) {
      const shown = panel.columns.flatMap((name) => ledger.filter((column) => column.name === name))
      if (shown.length === 0) continue
      const box = document.createElement('div')
      this.element.append(box)
      const plot = new uPlot(
        {
          width: Math.max(220, this.element.clientWidth - 8),
          height: 150,
          title: `${panel.title} (${panel.unit})`,
          legend: { live: true },
          cursor: { drag: { x: false, y: false } },
          scales: { x: { time: false } },
          axes: [
            { label: 'time (s)', stroke: ink, grid, size: 34, labelSize: 14 },
            { stroke: ink, grid, size: 58, values: (_, ticks) => ticks.map((v) => `${+v.toPrecision(4)}`) },
          ],
          series: [
            { label: 't' },
            ...shown.map((column, i) => ({ label: column.name, stroke: hex(bodyColour(i)), width: 1.5, points: { show: false } })),
          ],
          hooks: { draw: [(u) => this.line(u, ink)] },
        },
        [times, ...shown.map((column) => column.values)] as uPlot.AlignedData,
        box,
      )
      plot.over.addEventListener('click', (event) => this.go(plot.posToVal(event.offsetX, 'x')))
      this.plots.push(plot)
    }
  }

  private line(u: uPlot, ink: string): void {
    const x = u.valToPos(this.time, 'x', true)
    u.ctx.save()
    u.ctx.strokeStyle = ink
    u.ctx.beginPath()
    u.ctx.moveTo(x, u.bbox.top)
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height)
    u.ctx.stroke()
    u.ctx.restore()
  }

  move(time: number): void {
    this.time = time
    for (const plot of this.plots) plot.redraw(false, false)
  }
}
