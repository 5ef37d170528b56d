// The canvas that all sources are drawn into, each into its part.
import * as THREE from 'three'
import type { Layout } from './layout'
import type { Source } from './source'
import type { View } from './view'

const SMOOTH = 20000 // bodies up to which edges are smoothed
const SLOW_SMOOTH = 200 // the same without a graphics processor

// A context to draw with, and whether there is a graphics processor behind it. Making one takes a tenth of a second where
// there is none: a second is made only where the first smooths edges that the processor alone should not.
function makeContext(bodies: number): { context: WebGL2RenderingContext; slow: boolean } {
  const make = (antialias: boolean) => {
    const context = document.createElement('canvas').getContext('webgl2', { antialias, preserveDrawingBuffer: true, stencil: false })
    if (!context) throw new Error('WebGL 2 is missing or switched off')
    return context
  }
  const context = make(bodies <= SMOOTH)
  const known = context.getExtension('WEBGL_debug_renderer_info')
  const name = known ? String(context.getParameter(known.UNMASKED_RENDERER_WEBGL)) : ''
  const slow = /swiftshader|llvmpipe|software/i.test(name)
  if (!slow || bodies <= SLOW_SMOOTH || bodies > SMOOTH) return { context, slow }
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return { context: make(false), slow }
}

export class Canvas {
  readonly slow: boolean // no graphics processor
  readonly element: HTMLCanvasElement
  private readonly renderer: THREE.WebGLRenderer
  private width = 0 // px
  private height = 0

  constructor(private readonly holder: HTMLElement, sources: Source[]) {
    const bodies = sources.reduce((sum, source) => sum + source.about.bodies.length, 0)
    const { context, slow } = makeContext(bodies)
    this.slow = slow
    this.renderer = new THREE.WebGLRenderer({ canvas: context.canvas as HTMLCanvasElement, context })
    this.renderer.localClippingEnabled = true
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = THREE.PCFShadowMap
    this.renderer.shadowMap.autoUpdate = false
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.setScissorTest(true)
    this.element = this.renderer.domElement
    this.element.tabIndex = 0
    this.element.setAttribute('role', 'img')
    this.element.setAttribute('aria-label', `${sources.map((source) => source.words).join(', ')}: moving bodies; H lists the keys`)
    holder.prepend(this.element)
  }

  // The same size once more would make everything behind the canvas anew.
  resize(): void {
    const { clientWidth, clientHeight } = this.holder
    if (clientWidth === this.width && clientHeight === this.height) return
    this.renderer.setSize((this.width = clientWidth), (this.height = clientHeight), false)
  }

  draw({ stages, state }: View, layout: Layout, lens: THREE.Camera): void {
    const { clientHeight } = this.holder
    stages.forEach((stage, i) => {
      const { left, top, width, height } = layout.part(i)
      stage.see(lens, state.glass)
      this.renderer.setViewport(left, clientHeight - top - height, width, height)
      this.renderer.setScissor(left, clientHeight - top - height, width, height)
      this.renderer.shadowMap.needsUpdate = stage.shadowsOld
      stage.shadowsOld = false
      this.renderer.render(stage.scene, lens)
    })
  }
}
