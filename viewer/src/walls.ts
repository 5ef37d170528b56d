// Fixed and driven bodies that may stand between the eye and what moves: containers, walls, gates.
//
// Each is cut into its connected pieces. A piece with moving bodies inside of its own box is a shell: the faces
// that look away from them are its outside, and are what is left out. Any other piece is left out as a whole
// while the camera sees too much of what moves through it. What is left out is drawn as glass, with its edges.
import * as THREE from 'three'
import { FLOATS, type Source, type Surface } from './source'

export type WallMode = 'all' | 'back' | 'none'

const PIECES_MAX = 400 // more are drawn as they are
const TRIANGLES_MAX = 200000
const EDGE_TRIANGLES = 4000 // of a piece whose edges are drawn
const LOOKS = 160 // rays to bodies per frame
const DRIVEN = 2

interface Piece {
  body: number
  group: THREE.Group // moves with the body
  solid: THREE.Mesh // of a shell: its inside
  glass: THREE.Mesh // of a shell: its outside
  edges: THREE.LineSegments | null
  shell: boolean
  ghost: boolean // always glass
  box: THREE.Box3 // in the frame of the body
}

const ray = new THREE.Ray()
const inverse = new THREE.Matrix4()
const point = new THREE.Vector3()
const eye = new THREE.Vector3()
const hit = new THREE.Vector3()
const turn = new THREE.Quaternion()
const one = new THREE.Vector3(1, 1, 1)

// Triangles that share corners, as lists of triangle numbers.
function connected(surface: Surface): number[][] {
  const { positions, indices } = surface
  const corners = new Map<string, number>()
  const parent: number[] = []
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }
  const corner = (vertex: number) => {
    const key = `${positions[3 * vertex]},${positions[3 * vertex + 1]},${positions[3 * vertex + 2]}`
    let found = corners.get(key)
    if (found === undefined) {
      corners.set(key, (found = parent.length))
      parent.push(found)
    }
    return found
  }
  const first: number[] = []
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [corner(indices[i]), corner(indices[i + 1]), corner(indices[i + 2])]
    parent[root(b)] = root(a)
    parent[root(c)] = root(a)
    first.push(a)
  }
  const pieces = new Map<number, number[]>()
  first.forEach((a, triangle) => {
    const key = root(a)
    if (!pieces.has(key)) pieces.set(key, [])
    pieces.get(key)!.push(triangle)
  })
  return [...pieces.values()]
}

function cut(surface: Surface, triangles: number[]): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3))
  geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3))
  geometry.setIndex(triangles.flatMap((t) => [...surface.indices.subarray(3 * t, 3 * t + 3)]))
  return geometry
}

export class Walls {
  readonly group = new THREE.Group()
  readonly bodies = new Set<number>() // drawn here
  private readonly pieces: Piece[] = []
  private readonly paint = new Map<number, THREE.MeshStandardMaterial>()
  private readonly clear = new THREE.MeshBasicMaterial({ color: 0x9fb4c8, transparent: true, depthWrite: false })
  private readonly lines = new THREE.LineBasicMaterial({ color: 0x6b7885, transparent: true, opacity: 0.5 })
  private readonly ghost = new THREE.MeshBasicMaterial({ color: 0xe08a1e, transparent: true, depthWrite: false, opacity: 0.28 })
  private readonly ghostLines = new THREE.LineBasicMaterial({ color: 0xe08a1e })
  private samples: { frame: Float32Array; bodies: number[] }[] = []
  private key = ''
  mode: WallMode = 'back'

  constructor(private readonly source: Source) {
    const { bodies, forms } = source.about
    if (source.about.channels || !bodies.some((body) => body.kind === 0)) return
    const wanted = bodies.flatMap((body, i) =>
      (body.kind === 1 || body.kind === DRIVEN) && source.surfaces[body.form] && !forms[body.form].plane ? [i] : [])
    const cuts = new Map<number, number[][]>()
    let pieces = 0
    for (const body of wanted) {
      const { form } = bodies[body]
      const surface = source.surfaces[form]!
      if (surface.indices.length > 3 * TRIANGLES_MAX) return
      if (!cuts.has(form)) cuts.set(form, connected(surface))
      pieces += cuts.get(form)!.length
      if (pieces > PIECES_MAX) return
    }
    for (const body of wanted) {
      this.bodies.add(body)
      for (const triangles of cuts.get(bodies[body].form)!) this.add(body, source.surfaces[bodies[body].form]!, triangles)
    }
  }

  get count(): number {
    return this.pieces.length
  }

  private add(body: number, surface: Surface, triangles: number[]): void {
    let material = this.paint.get(body)
    if (!material) this.paint.set(body, (material = new THREE.MeshStandardMaterial({ roughness: 0.7, metalness: 0.02 })))
    const geometry = cut(surface, triangles)
    const group = new THREE.Group()
    const solid = new THREE.Mesh(geometry, material)
    const ghost = this.source.about.bodies[body].ghost === true
    const glass = new THREE.Mesh(geometry, ghost ? this.ghost : this.clear)
    solid.castShadow = solid.receiveShadow = true
    glass.renderOrder = 5
    const lines = ghost ? this.ghostLines : this.lines
    const edges = triangles.length <= EDGE_TRIANGLES ? new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), lines) : null
    group.add(solid, glass)
    if (edges) group.add(edges)
    this.group.add(group)
    const box = new THREE.Box3()
    for (const index of geometry.index!.array) box.expandByPoint(point.fromArray(surface.positions, 3 * index))
    this.pieces.push({ body, group, solid, glass, edges, shell: false, ghost, box })
  }

  // Frames to judge by what hides what.
  look(frames: Float32Array[]): void {
    const { bodies } = this.source.about
    const moving = bodies.flatMap((body, i) => (body.kind === 0 ? [i] : []))
    const stride = Math.ceil(moving.length / LOOKS)
    const few = frames.length > 6 ? [0, 1, 2, 3, 4, 5].map((k) => frames[Math.floor((k * (frames.length - 1)) / 5)]) : frames
    this.samples = few.map((frame) => ({ frame, bodies: moving.filter((_, i) => i % stride === 0) }))
    this.key = ''
    for (const piece of this.pieces) this.findShell(piece)
  }

  private toBody(piece: Piece, frame: Float32Array): THREE.Matrix4 {
    const at = piece.body * FLOATS
    turn.fromArray(frame, at + 3)
    return inverse.compose(point.fromArray(frame, at), turn, one).invert()
  }

  // Once a shell, always one: a run that goes on does not unmake it.
  private findShell(piece: Piece): void {
    if (piece.shell || piece.ghost || this.samples.length === 0) return
    const middle = new THREE.Vector3()
    let inside = 0
    let all = 0
    for (const { frame, bodies } of this.samples) {
      const local = this.toBody(piece, frame)
      for (const body of bodies) {
        if (Number.isNaN(frame[body * FLOATS])) continue
        ++all
        point.fromArray(frame, body * FLOATS).applyMatrix4(local)
        if (!piece.box.containsPoint(point)) continue
        ++inside
        middle.add(point)
      }
    }
    const shell = inside > 0.25 * all && this.surrounds(piece)
    piece.shell = shell
    if (shell) this.split(piece, middle.divideScalar(inside))
  }

  // Whether a piece stands around what is inside of its box, not only below it as a track or a tray: rays that rise a
  // little, from some of the bodies, hit it.
  private surrounds(piece: Piece): boolean {
    const { frame, bodies } = this.samples[0]
    const local = this.toBody(piece, frame).clone()
    const stride = Math.ceil(bodies.length / 8)
    let hits = 0
    let rays = 0
    for (let i = 0; i < bodies.length; i += stride) {
      ray.origin.fromArray(frame, bodies[i] * FLOATS).applyMatrix4(local)
      if (Number.isNaN(ray.origin.x) || !piece.box.containsPoint(ray.origin)) continue
      for (const [rise, ways] of [[0.36, 8], [1.2, 4]])
        for (let k = 0; k < ways; ++k) {
          const angle = (2 * Math.PI * (k + 0.3)) / ways
          ray.direction.set(Math.cos(angle), Math.sin(angle), rise).transformDirection(local)
          ++rays
          if (this.meets(piece)) ++hits
        }
    }
    return hits > 0.25 * rays
  }

  // Whether the ray, in the frame of the body, meets the piece.
  private meets(piece: Piece): boolean {
    const { positions } = this.source.surfaces[this.source.about.bodies[piece.body].form]!
    const index = piece.solid.geometry.index!.array
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
    for (let i = 0; i < index.length; i += 3) {
      a.fromArray(positions, 3 * index[i])
      b.fromArray(positions, 3 * index[i + 1])
      c.fromArray(positions, 3 * index[i + 2])
      if (ray.intersectTriangle(a, b, c, false, hit)) return true
    }
    return false
  }

  // Faces that look at the middle of what is inside, and the others.
  private split(piece: Piece, middle: THREE.Vector3): void {
    const surface = this.source.surfaces[this.source.about.bodies[piece.body].form]!
    const index = piece.solid.geometry.index!.array
    const parts: number[][] = [[], []]
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
    for (let i = 0; i < index.length; i += 3) {
      a.fromArray(surface.positions, 3 * index[i])
      b.fromArray(surface.positions, 3 * index[i + 1])
      c.fromArray(surface.positions, 3 * index[i + 2])
      point.copy(a).add(b).add(c).divideScalar(3).sub(middle)
      hit.copy(b).sub(a).cross(c.sub(a))
      parts[hit.dot(point) < 0 ? 0 : 1].push(index[i], index[i + 1], index[i + 2])
    }
    const make = (list: number[]) => {
      const out = piece.solid.geometry.clone()
      out.setIndex(list)
      return out
    }
    const whole = piece.solid.geometry
    piece.solid.userData = { whole, inside: make(parts[0]) }
    piece.glass.geometry = make(parts[1])
  }

  place(frame: Float32Array): void {
    for (const { body, group } of this.pieces) {
      const at = body * FLOATS
      group.visible = !Number.isNaN(frame[at])
      if (!group.visible) continue
      group.position.fromArray(frame, at)
      group.quaternion.fromArray(frame, at + 3)
    }
  }

  colour(body: number, colour: THREE.Color): void {
    this.paint.get(body)?.color.copy(colour)
  }

  setDark(dark: boolean): void {
    this.lines.color.set(dark ? 0x93a1ae : 0x6b7885)
  }

  // Which pieces stand in the way of this camera; true where that was looked at anew.
  update(camera: THREE.Camera, glass: number, planes: THREE.Plane[]): boolean {
    this.group.visible = this.mode !== 'none'
    for (const material of [...this.paint.values(), this.clear, this.lines, this.ghost, this.ghostLines]) material.clippingPlanes = planes
    this.clear.opacity = glass
    const key = `${this.mode} ${camera.position.toArray().map((v) => v.toPrecision(3))}`
    if (key === this.key) return false
    this.key = key
    for (const piece of this.pieces) {
      const left = piece.ghost || (this.mode === 'back' && (piece.shell || this.hides(piece, camera)))
      if (piece.shell) {
        const { whole, inside } = piece.solid.userData
        piece.solid.geometry = left ? inside : whole
        piece.solid.visible = true
      } else piece.solid.visible = !left
      piece.glass.visible = left
      piece.solid.castShadow = !left // what is left out does not darken what it holds
      if (piece.edges) piece.edges.visible = left
    }
    return true
  }

  private hides(piece: Piece, camera: THREE.Camera): boolean {
    let hidden = 0
    let all = 0
    let side = 0 // bodies behind the piece's own middle, as seen from the camera
    const large = this.samples[0]?.bodies.length >= 20
    for (const { frame, bodies } of this.samples) {
      const local = this.toBody(piece, frame)
      eye.copy(camera.position).applyMatrix4(local)
      for (const body of bodies) {
        if (Number.isNaN(frame[body * FLOATS])) continue
        ++all
        point.fromArray(frame, body * FLOATS).applyMatrix4(local)
        const far = point.distanceTo(eye)
        ray.origin.copy(eye)
        ray.direction.copy(point).sub(eye).divideScalar(far)
        if (ray.intersectBox(piece.box, hit) && hit.distanceTo(eye) < far && !piece.box.containsPoint(point)) ++hidden
        if (far > piece.box.getCenter(hit).distanceTo(eye)) ++side
      }
    }
    // what turns in the midst of the others is no wall
    const { kind, servo } = this.source.about.bodies[piece.body]
    if (kind === DRIVEN && !servo && side < 0.8 * all) return false
    return hidden > (large ? 1 / 60 : 1 / 2) * all
  }

  // The body under a ray, of what is drawn solid.
  pick(caster: THREE.Raycaster): { distance: number; body: number } | null {
    let found: { distance: number; body: number } | null = null
    if (this.mode === 'none') return null
    for (const { solid, group, body } of this.pieces) {
      if (!solid.visible || !group.visible) continue
      const hit = caster.intersectObject(solid, false)[0]
      if (hit && (!found || hit.distance < found.distance)) found = { distance: hit.distance, body }
    }
    return found
  }

  dispose(): void {
    for (const { solid, glass, edges } of this.pieces) {
      solid.geometry.dispose()
      glass.geometry.dispose()
      edges?.geometry.dispose()
    }
    for (const material of this.paint.values()) material.dispose()
    this.clear.dispose()
    this.lines.dispose()
  }
}
