// Many arrows as two instanced meshes: shafts and heads.
import * as THREE from 'three'

const MOST = 4000
const up = new THREE.Vector3(0, 1, 0)
const way = new THREE.Vector3()
const at = new THREE.Vector3()
const turn = new THREE.Quaternion()
const size = new THREE.Vector3()
const matrix = new THREE.Matrix4()
const colour = new THREE.Color()

export class Arrows {
  readonly group = new THREE.Group()
  private readonly shafts = Arrows.make(new THREE.CylinderGeometry(0.5, 0.5, 1, 8))
  private readonly heads = Arrows.make(new THREE.ConeGeometry(1.4, 1, 12))
  count = 0

  constructor() {
    this.group.add(this.shafts, this.heads)
    this.end()
  }

  private static make(geometry: THREE.BufferGeometry): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }), MOST)
    mesh.renderOrder = 10 // contacts lie between bodies: arrows are seen through them
    mesh.frustumCulled = false
    return mesh
  }

  // Few are seen through bodies, many would be one blot: those are hidden by what stands before them.
  begin(hidden = false): void {
    this.count = 0
    for (const mesh of [this.shafts, this.heads]) (mesh.material as THREE.Material).depthTest = hidden
  }

  // From a point along a direction of any length.
  add(from: THREE.Vector3, direction: THREE.Vector3, length: number, width: number, hex: number): void {
    if (this.count === MOST || direction.lengthSq() === 0) return
    way.copy(direction).normalize()
    turn.setFromUnitVectors(up, way)
    const head = Math.min(4 * width, 0.5 * length)
    at.copy(from).addScaledVector(way, (length - head) / 2)
    this.shafts.setMatrixAt(this.count, matrix.compose(at, turn, size.set(width, length - head, width)))
    at.copy(from).addScaledVector(way, length - head / 2)
    this.heads.setMatrixAt(this.count, matrix.compose(at, turn, size.set(width, head, width)))
    colour.set(hex)
    this.shafts.setColorAt(this.count, colour)
    this.heads.setColorAt(this.count, colour)
    ++this.count
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
    }
    this.group.visible = this.count > 0
  }
}
