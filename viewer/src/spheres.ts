// Spheres by the ten thousand: two triangles each, shaded as spheres where they are drawn.
//
// An instance is a batch of them, which find their numbers in textures: renderers without a graphics
// processor take their time for every instance (one sphere each: seven times as long).
import * as THREE from 'three'

const BATCH = 128
const WIDE = 256 // of the textures

const vertex = `
uniform highp sampler2D balls; // centre and radius
uniform highp sampler2D tints;
varying vec2 corner;
varying vec3 shade;
varying vec3 toSun;
void main() {
  int number = gl_InstanceID * ${BATCH} + int(position.z);
  ivec2 place = ivec2(number % ${WIDE}, number / ${WIDE});
  vec4 ball = texelFetch(balls, place, 0);
  vec4 centre = viewMatrix * modelMatrix * vec4(ball.xyz, 1.0);
  corner = position.xy;
  shade = texelFetch(tints, place, 0).rgb;
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

export class Spheres {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>
  private readonly balls: THREE.DataTexture
  private readonly tints: THREE.DataTexture
  private readonly ball: Float32Array
  private readonly tint: Float32Array

  constructor(private readonly count: number) {
    const geometry = new THREE.InstancedBufferGeometry()
    const corners: number[] = []
    const index: number[] = []
    for (let i = 0; i < BATCH; ++i) {
      corners.push(-1, -1, i, 1, -1, i, 1, 1, i, -1, 1, i)
      index.push(...[0, 1, 2, 0, 2, 3].map((k) => 4 * i + k))
    }
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3))
    geometry.setIndex(index)
    geometry.instanceCount = Math.ceil(count / BATCH)
    const rows = Math.ceil((geometry.instanceCount * BATCH) / WIDE)
    this.ball = new Float32Array(4 * WIDE * rows) // the rest of the last batch has radius 0
    this.tint = new Float32Array(4 * WIDE * rows)
    this.balls = new THREE.DataTexture(this.ball, WIDE, rows, THREE.RGBAFormat, THREE.FloatType)
    this.tints = new THREE.DataTexture(this.tint, WIDE, rows, THREE.RGBAFormat, THREE.FloatType)
    const material = new THREE.ShaderMaterial({
      uniforms: { balls: { value: this.balls }, tints: { value: this.tints } },
      vertexShader: vertex,
      fragmentShader: fragment,
      side: THREE.DoubleSide,
    })
    this.mesh = new THREE.Mesh(geometry, material)
    this.mesh.frustumCulled = false
  }

  // A radius of 0 hides it.
  place(i: number, at: ArrayLike<number>, from: number, radius: number): void {
    for (let k = 0; k < 3; ++k) this.ball[4 * i + k] = radius > 0 ? at[from + k] : 0
    this.ball[4 * i + 3] = radius
  }

  paint(i: number, colour: THREE.Color): void {
    this.tint[4 * i] = colour.r
    this.tint[4 * i + 1] = colour.g
    this.tint[4 * i + 2] = colour.b
  }

  changed(colours: boolean): void {
    this.balls.needsUpdate = true
    if (colours) this.tints.needsUpdate = true
  }

  // Distance along the ray and number of the first one hit.
  pick(ray: THREE.Ray): { distance: number; index: number } {
    const found = { distance: Infinity, index: -1 }
    const { origin, direction } = ray
    const balls = this.ball
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
    this.balls.dispose()
    this.tints.dispose()
  }
}
