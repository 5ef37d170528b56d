// Spheres by the ten thousand: two triangles each, shaded as spheres where they are drawn.
import * as THREE from 'three'

const vertex = `
attribute vec4 ball; // centre and radius
attribute vec3 tint;
varying vec2 corner;
varying vec3 shade;
varying vec3 toSun;
void main() {
  vec4 centre = viewMatrix * modelMatrix * vec4(ball.xyz, 1.0);
  corner = position.xy;
  shade = tint;
  toSun = normalize((viewMatrix * vec4(0.6, -0.8, 1.4, 0.0)).xyz);
  // The outline of a sphere in perspective is a little larger than its radius.
  float near = max(length(centre.xyz), 1.0001 * ball.w);
  float wide = ball.w * near / sqrt(near * near - ball.w * ball.w);
  vec3 ahead = normalize(centre.xyz);
  vec3 right = normalize(cross(ahead, vec3(0.0, 1.0, 0.0)));
  gl_Position = projectionMatrix * vec4(centre.xyz + wide * (position.x * right + position.y * cross(right, ahead)), 1.0);
}`
const fragment = `
varying vec2 corner;
varying vec3 shade;
varying vec3 toSun;
void main() {
  float r2 = dot(corner, corner);
  if (r2 > 1.0) discard;
  vec3 normal = vec3(corner, sqrt(1.0 - r2));
  float light = 0.36 + 0.08 * normal.y + 0.56 * max(dot(normal, toSun), 0.0);
  gl_FragColor = vec4(shade * light, 1.0);
  #include <colorspace_fragment>
}`

const colour = new THREE.Color()

export class Spheres {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>
  private readonly balls: THREE.InstancedBufferAttribute
  private readonly tints: THREE.InstancedBufferAttribute

  constructor(private readonly count: number) {
    const geometry = new THREE.InstancedBufferGeometry()
    geometry.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3))
    geometry.setIndex([0, 1, 2, 0, 2, 3])
    geometry.instanceCount = count
    this.balls = new THREE.InstancedBufferAttribute(new Float32Array(4 * count), 4)
    this.tints = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3)
    geometry.setAttribute('ball', this.balls)
    geometry.setAttribute('tint', this.tints)
    this.mesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, side: THREE.DoubleSide }))
    this.mesh.frustumCulled = false
  }

  // A radius of 0 hides it.
  set(i: number, at: ArrayLike<number>, from: number, radius: number, rgb: readonly [number, number, number]): void {
    const balls = this.balls.array
    for (let k = 0; k < 3; ++k) balls[4 * i + k] = radius > 0 ? at[from + k] : 0
    balls[4 * i + 3] = radius
    colour.setRGB(...(rgb as [number, number, number]), THREE.SRGBColorSpace)
    this.tints.setXYZ(i, colour.r, colour.g, colour.b)
  }

  changed(): void {
    this.balls.needsUpdate = this.tints.needsUpdate = true
  }

  // Distance along the ray and number of the first one hit.
  pick(ray: THREE.Ray): { distance: number; index: number } {
    const found = { distance: Infinity, index: -1 }
    const { origin, direction } = ray
    const balls = this.balls.array
    for (let i = 0; i < this.count; ++i) {
      const r = balls[4 * i + 3]
      const x = balls[4 * i] - origin.x
      const y = balls[4 * i + 1] - origin.y
      const z = balls[4 * i + 2] - origin.z
      const along = x * direction.x + y * direction.y + z * direction.z
      const inside = r * r - (x * x + y * y + z * z - along * along)
      if (inside < 0 || along - Math.sqrt(inside) >= found.distance) continue
      found.distance = along - Math.sqrt(inside)
      found.index = i
    }
    return found
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
