// How far a source goes, without what flies far away, and the camera that sees it.
import * as THREE from 'three'
import { FLOATS, type Source } from './source'

export interface Extent {
  middle: THREE.Vector3
  radius: number
  points: Float32Array // x, y, z and radius of what is to be seen
  box: THREE.Box3
}

const MOVING = 0
const BOXED = 3000 // bodies up to which their own boxes count, not spheres around them
const SAMPLE = 6000 // bodies that tell how far all of them go
const FEW = 5 // bodies that are all seen, wherever they go
const WALL_SHARE = 10 // of few bodies one wants to see the walls they go to, up to so many radii away
const LEAST_SHARE = 20 // the usual body is at least this part of what is seen, if it flies apart
const START_SHARE = 1.1 // where it begins, and a little more
const TOWER_SHARE = 8 // of a tower one wants to see how it gives way, not how far it falls
const place = new THREE.Vector3()
const corner = new THREE.Vector3()
const turn = new THREE.Quaternion()

const middleOf = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

// x, y, z, radius of bodies of a kind at a frame, one after the other.
function spheresAt(source: Source, frame: Float32Array, wanted: (body: number) => boolean, out: number[]): void {
  const { bodies, forms } = source.about
  bodies.forEach((body, i) => {
    const at = i * FLOATS
    if (!wanted(i) || forms[body.form].plane || Number.isNaN(frame[at])) return
    const surface = source.surfaces[body.form]
    if (!surface || bodies.length > BOXED) {
      out.push(frame[at], frame[at + 1], frame[at + 2], source.reach(body.form))
      return
    }
    const box = source.box(body.form)
    turn.fromArray(frame, at + 3)
    place.fromArray(frame, at)
    for (let k = 0; k < 8; ++k) {
      corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z)
      corner.applyQuaternion(turn).add(place)
      out.push(corner.x, corner.y, corner.z, 0)
    }
  })
}

function away(points: number[], middle: number[]): number[] {
  const out: number[] = []
  for (let i = 0; i < points.length; i += 4)
    out.push(Math.hypot(points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]) + points[i + 3])
  return out
}

function boxOf(points: ArrayLike<number>): THREE.Box3 {
  const box = new THREE.Box3()
  for (let i = 0; i < points.length; i += 4) {
    const r = points[i + 3]
    box.expandByPoint(place.set(points[i] - r, points[i + 1] - r, points[i + 2] - r))
    box.expandByPoint(place.set(points[i] + r, points[i + 1] + r, points[i + 2] + r))
  }
  return box
}

// The places of upright planes that are nearest to a point.
function feet(source: Source, frame: Float32Array, from: THREE.Vector3, far: number): number[] {
  const { bodies, forms } = source.about
  return bodies.flatMap((body, i) => {
    if (!forms[body.form].plane) return []
    const normal = corner.set(0, 0, 1).applyQuaternion(turn.fromArray(frame, i * FLOATS + 3))
    const distance = place.fromArray(frame, i * FLOATS).sub(from).dot(normal)
    return Math.abs(normal.z) < 0.7 && Math.abs(distance) < far ? [...place.copy(from).addScaledVector(normal, distance).toArray(), 0] : []
  })
}

// What moves, over the whole source. What matters is where most of it is most of the time, and where it began: a
// body that flies away does not push the others into the distance.
export function extentOf(source: Source, frames: Float32Array[]): Extent {
  const { bodies, joints } = source.about
  const still = bodies.every((body) => body.kind !== MOVING)
  const stride = Math.ceil(bodies.length / SAMPLE)
  const wanted = (i: number) => i % stride === 0 && (still || bodies[i].kind === MOVING)
  const all: number[] = []
  const first: number[] = []
  spheresAt(source, frames[0], wanted, first)
  for (const frame of frames) spheresAt(source, frame, wanted, all)
  const middle = [0, 1, 2].map((axis) => middleOf(all.filter((_, i) => i % 4 === axis)))
  const start = [0, 1, 2].map((axis) => middleOf(first.filter((_, i) => i % 4 === axis)))
  const distances = away(all, middle)
  const sorted = [...distances].sort((a, b) => a - b)
  const usual = sorted[Math.floor(0.5 * (sorted.length - 1))] ?? 1
  const began = away(first, start).reduce((a, b) => Math.max(a, b), 0)
  const seen = bodies.filter((_, i) => wanted(i))
  const reach = middleOf(seen.map((body) => source.reach(body.form)))
  const tower = source.about.kind === 'tower'
  const limit = tower ? Math.max(1.5 * began, TOWER_SHARE * reach) : seen.length <= FEW ? Infinity : Math.max(START_SHARE * began, Math.min(2 * usual, LEAST_SHARE * reach))
  let points: number[] = [...first]
  distances.forEach((distance, i) => distance <= limit && points.push(...all.slice(4 * i, 4 * i + 4)))
  const moving = boxOf(points)
  for (const joint of joints ?? []) {
    if (joint.a < 0) points.push(...joint.anchor_a, 0)
    if (joint.b < 0) points.push(...joint.anchor_b, 0)
  }
  // Fixed and driven bodies belong into the picture where they are not much larger than the motion.
  const centre = moving.getCenter(new THREE.Vector3())
  const near = 0.8 * moving.getSize(place).length()
  if (seen.length <= FEW) points.push(...feet(source, frames[0], centre, WALL_SHARE * reach))
  const fixed: number[] = []
  if (!still) spheresAt(source, frames[0], (i) => bodies[i].kind !== MOVING, fixed)
  for (let i = 0; i < fixed.length; i += 4)
    if (Math.hypot(fixed[i] - centre.x, fixed[i + 1] - centre.y, fixed[i + 2] - centre.z) + fixed[i + 3] < near)
      points.push(...fixed.slice(i, i + 4))
  if (points.length === 0) points = [0, 0, 0, 1]
  const box = boxOf(points)
  const radius = Math.max(1e-6, box.getSize(place).length() / 2)
  return { middle: box.getCenter(new THREE.Vector3()), radius, points: Float32Array.from(points), box: moving.isEmpty() ? box : moving }
}

// Places the camera so that all points are just seen, looking along a direction.
export function fitCamera(camera: THREE.PerspectiveCamera, toward: THREE.Vector3, extents: Extent[]): THREE.Vector3 {
  const forward = toward.clone().normalize()
  const right = new THREE.Vector3().crossVectors(forward, camera.up).normalize()
  const up = new THREE.Vector3().crossVectors(right, forward)
  const high = 0.9 * Math.tan((0.5 * camera.fov * Math.PI) / 180)
  const slopes = [high * camera.aspect, high]
  // In the frame of the camera: x to the right, y up, z ahead. The eye's z is bound by the four sides of what it
  // sees; x and y lie between opposite sides.
  const max = [-Infinity, -Infinity]
  const min = [-Infinity, -Infinity]
  let nearest = Infinity
  let farthest = -Infinity
  for (const { points } of extents)
    for (let i = 0; i < points.length; i += 4) {
      place.fromArray(points, i)
      const r = points[i + 3]
      const z = place.dot(forward)
      nearest = Math.min(nearest, z - r)
      farthest = Math.max(farthest, z + r)
      for (const [k, axis] of [right, up].entries()) {
        const slope = slopes[k]
        const wide = r * Math.hypot(1, slope)
        max[k] = Math.max(max[k], place.dot(axis) - slope * z + wide)
        min[k] = Math.max(min[k], -place.dot(axis) - slope * z + wide)
      }
    }
  const eye = [0, 1].map((k) => -(max[k] + min[k]) / (2 * slopes[k]))
  const depth = Math.min(...eye, nearest - 1e-3 * (farthest - nearest))
  const x = (max[0] - min[0]) / 2
  const y = (max[1] - min[1]) / 2
  const target = new THREE.Vector3().addScaledVector(right, x).addScaledVector(up, y)
  camera.position.copy(target).addScaledVector(forward, depth)
  return target.addScaledVector(forward, (nearest + farthest) / 2)
}
