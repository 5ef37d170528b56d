// Pictures and videos of what is on the screen, handed to the browser as files.
import { colourList } from './colours'
import { scalesOf, wordsOfScale } from './legend'
import { notice } from './overlay'
import type { View } from './view'

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

interface Caption {
  title: string
  scale: { words: string; colours: string[] } | null
}

// The canvas with its title and its scale, as PNG.
function picture(canvas: HTMLCanvasElement, caption: Caption, dark: boolean): Promise<Blob | null> {
  const out = document.createElement('canvas')
  out.width = canvas.width
  out.height = canvas.height
  const pen = out.getContext('2d')!
  const unit = Math.max(12, Math.round(canvas.height / 45))
  pen.drawImage(canvas, 0, 0)
  pen.fillStyle = dark ? '#e6edf3' : '#1f2328'
  pen.font = `${unit}px system-ui, sans-serif`
  pen.fillText(caption.title, unit, canvas.height - unit)
  if (caption.scale) {
    const wide = 14 * unit
    const fill = pen.createLinearGradient(unit, 0, unit + wide, 0)
    caption.scale.colours.forEach((colour, i, all) => fill.addColorStop(i / (all.length - 1), colour))
    pen.fillText(caption.scale.words, unit, 3.2 * unit)
    pen.fillStyle = fill
    pen.fillRect(unit, unit, wide, 0.8 * unit)
  }
  return new Promise((done) => out.toBlob(done, 'image/png'))
}

// Records the canvas from now on until `end`; null where the browser cannot.
class Recorder {
  private constructor(private readonly recorder: MediaRecorder, private readonly pieces: Blob[]) {}

  static begin(canvas: HTMLCanvasElement): Recorder | null {
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(
      (one) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(one))
    if (!type) return null
    const pieces: Blob[] = []
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 })
    recorder.addEventListener('dataavailable', (event) => pieces.push(event.data))
    recorder.start(250)
    return new Recorder(recorder, pieces)
  }

  // A little later, so that the last picture is in it.
  async end(): Promise<Blob> {
    await new Promise((done) => setTimeout(done, 200))
    return new Promise((done) => {
      this.recorder.addEventListener('stop', () => done(new Blob(this.pieces, { type: 'video/webm' })))
      this.recorder.stop()
    })
  }
}

export interface CaptureActions {
  draw(): void
  play(): void
}

export class Capture {
  private recorder: Recorder | null = null

  constructor(private readonly view: View, private readonly canvas: HTMLCanvasElement, private readonly actions: CaptureActions) {}

  get recording(): boolean {
    return this.recorder !== null
  }

  private get fileName(): string {
    return (this.view.sources[0].words.match(/[a-z0-9]+/gi) ?? ['carom']).join('-').toLowerCase().slice(0, 60)
  }

  async picture(): Promise<void> {
    this.actions.draw()
    const scale = scalesOf(this.view)[0]
    const caption = {
      title: this.view.sources.map((source) => source.words).join('   |   '),
      scale: scale ? { words: wordsOfScale(scale), colours: colourList() } : null,
    }
    const blob = await picture(this.canvas, caption, this.view.state.dark)
    if (blob) save(blob, `${this.fileName}.png`)
  }

  // From here on until it is pressed again, or the end.
  async video(): Promise<void> {
    this.view.wake()
    if (this.recorder) return this.end()
    this.recorder = Recorder.begin(this.canvas)
    if (!this.recorder) return notice('This browser cannot record videos; `carom export --to mp4` can.')
    this.actions.play()
  }

  async end(): Promise<void> {
    const { recorder } = this
    if (!recorder) return
    this.view.wake()
    this.recorder = null
    const video = await recorder.end()
    return video.size ? save(video, `${this.fileName}.webm`) : notice('Nothing was recorded: the video was too short.')
  }
}
