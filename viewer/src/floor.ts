// Half-spaces: a floor with a grid that fades into the distance, or a wall as wide as what moves. Either is seen
// from its own side only, so that none stands before what it holds.
import * as THREE from 'three'

const vertex = `
varying vec2 own;
#include <clipping_planes_pars_vertex>
void main() {
  own = position.xy;
  #include <begin_vertex>
  #include <project_vertex>
  #include <clipping_planes_vertex>
}`
const fragment = `
varying vec2 own;
uniform vec3 ground, line;
uniform vec2 middle;
uniform float grid, fade, opacity;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec2 g = own / grid, wide = fwidth(g) + 1e-6, near = abs(fract(g - 0.5) - 0.5) / wide;
  float on = max(0.0, 1.0 - min(near.x, near.y)) * max(0.0, 1.0 - 3.0 * max(wide.x, wide.y));
  float far = fade > 0.0 ? 1.0 - smoothstep(0.5, 1.0, distance(own, middle) / fade) : 1.0;
  gl_FragColor = vec4(mix(ground, line, 0.55 * on), opacity * far);
  #include <colorspace_fragment>
}`

// A step of 1, 2 or 5 times a power of ten, about so many to a length.
export function niceStep(length: number, count: number): number {
  const raw = length / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const share = raw / power
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10)
}

export class Floor {
  readonly group = new THREE.Group()
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>
  private readonly shadow: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>
  wall = false // stands upright
  private own: THREE.Color | null = null

  constructor(readonly body: number) {
    const geometry = new THREE.PlaneGeometry(1, 1)
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.ShaderMaterial({
        uniforms: {
          ground: { value: new THREE.Color() }, line: { value: new THREE.Color() }, middle: { value: new THREE.Vector2() },
          grid: { value: 1 }, fade: { value: 0 }, opacity: { value: 1 },
        },
        vertexShader: vertex, fragmentShader: fragment, transparent: true, clipping: true,
      }),
    )
    this.mesh.renderOrder = -2
    this.shadow = new THREE.Mesh(geometry, new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }))
    this.shadow.renderOrder = -1
    this.shadow.receiveShadow = true
    this.shadow.material.polygonOffset = true
    this.shadow.material.polygonOffsetFactor = -1
    this.group.add(this.mesh, this.shadow)
  }

  // Where it is, and how large: walls span the box of what moves, floors go beyond it and fade.
  fit(box: THREE.Box3, radius: number): void {
    const uniforms = this.mesh.material.uniforms
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(this.group.quaternion)
    this.wall = Math.abs(normal.z) < 0.7
    const back = this.group.quaternion.clone().invert()
    const min = new THREE.Vector2(Infinity, Infinity)
    const max = new THREE.Vector2(-Infinity, -Infinity)
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z)
      corner.sub(this.group.position).applyQuaternion(back)
      min.min(corner as unknown as THREE.Vector2)
      max.max(corner as unknown as THREE.Vector2)
    }
    const middle = min.clone().add(max).multiplyScalar(0.5)
    const size = this.wall ? max.clone().sub(min).multiplyScalar(1.02) : new THREE.Vector2(1, 1).multiplyScalar(12 * radius)
    this.mesh.geometry.dispose()
    const geometry = new THREE.PlaneGeometry(size.x, size.y)
    geometry.translate(middle.x, middle.y, 0)
    this.mesh.geometry = this.shadow.geometry = geometry
    uniforms.middle.value.copy(middle)
    uniforms.fade.value = this.wall ? 0 : 6 * radius
    uniforms.grid.value = niceStep(2 * radius, 6)
    uniforms.opacity.value = this.wall ? 0.75 : 1
  }

  place(frame: Float32Array, at: number): void {
    this.group.visible = !Number.isNaN(frame[at])
    this.group.position.fromArray(frame, at)
    this.group.quaternion.fromArray(frame, at + 3)
  }

  // Null: as the page.
  colour(colour: THREE.Color | null): void {
    this.own = colour ? colour.clone() : null
    this.setDark(this.dark)
  }

  private dark = false
  setDark(dark: boolean): void {
    this.dark = dark
    const { ground, line } = this.mesh.material.uniforms
    ground.value.set(dark ? 0x1d232b : this.wall ? 0xdde3ea : 0xe9edf1)
    line.value.set(dark ? 0x4a5563 : 0x9aa5b1)
    if (this.own) {
      ground.value.copy(this.own).multiplyScalar(dark ? 0.35 : 1)
      line.value.lerp(ground.value, 0.5)
    }
    this.shadow.material.opacity = dark ? 0.5 : 0.22
  }

  clip(planes: THREE.Plane[]): void {
    this.mesh.material.clippingPlanes = this.shadow.material.clippingPlanes = planes
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
    this.shadow.material.dispose()
  }
}
