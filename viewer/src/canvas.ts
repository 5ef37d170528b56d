// The canvas that all sources are drawn into, each into its part.
import * as THREE from 'three'
import type { Layout } from './layout'
import type { Source } from './source'
import type { View } from './view'

const SMOOTH = 20000 // bodies up to which edges are smoothed
const SLOW_SMOOTH = 200 // the same without a graphics processor

// Who draws; "" where nobody says.
function rendererName(): string {
  const gl = document.createElement('canvas').getContext('webgl2')
  const known = gl?.getExtension('WEBGL_debug_renderer_info')
  const name = gl && known ? String(gl.getParameter(known.UNMASKED_RENDERER_WEBGL)) : ''
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return name
}

export class Canvas {
  readonly slow = /swiftshader|llvmpipe|software/i.test(rendererName()) // no graphics processor
  readonly element: HTMLCanvasElement
  private readonly renderer: THREE.WebGLRenderer

  constructor(private readonly holder: HTMLElement, sources: Source[]) {
    const bodies = sources.reduce((sum, source) => sum + source.about.bodies.length, 0)
    this.renderer = new THREE.WebGLRenderer({ antialias: bodies <= (this.slow ? SLOW_SMOOTH : SMOOTH), preserveDrawingBuffer: true })
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

  resize(): void {
    this.renderer.setSize(this.holder.clientWidth, this.holder.clientHeight, false)
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
