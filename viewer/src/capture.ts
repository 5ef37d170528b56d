// Pictures and videos of what is on the screen, handed to the browser as files.

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

export interface Caption {
  title: string
  scale: { words: string; colours: string[] } | null
}

// The canvas with its title and its scale, as PNG.
export function picture(canvas: HTMLCanvasElement, caption: Caption, dark: boolean): Promise<Blob | null> {
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
export class Recorder {
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
