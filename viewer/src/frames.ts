// Brings to the stages what they have at the time of the view: the frame, its contacts and numbers, and the cut.
import * as THREE from 'three'
import { notice } from './overlay'
import type { Stage } from './stage'
import type { View } from './view'

export function showFrames(view: View): void {
  view.stages.forEach((stage, i) => showFrame(view, stage, i))
}

// What has to be asked for comes with a later picture, unless another frame is shown by then.
function showFrame(view: View, stage: Stage, i: number): void {
  const { state } = view
  const { source } = stage
  const index = source.at(state.time)
  if (view.shown[i] === index) return
  const frame = source.frame(index)
  if (!frame) return void source.load(index).then(() => view.wake(), (error) => notice(String(error.message ?? error)))
  stage.show(frame)
  view.shown[i] = index
  const late = () => view.shown[i] !== index || view.stages[i] !== stage
  stage.showVelocities(state.velocities ? frame : null)
  if (!state.impulses && !state.normals && !state.forces) stage.showContacts(null, frame, state)
  else
    source.provider.contacts(source.number, index).then((contacts) => {
      if (late()) return
      stage.showContacts(contacts, frame, state)
      view.wake()
    }, () => {})
  if (stage.paint.wantsValues)
    source.provider.values(source.number, index).then((values) => {
      if (late()) return
      stage.paint.setValues(values)
      stage.show(frame)
      view.wake()
    }, () => {})
  source.load(Math.min(index + source.ahead, source.about.frames - 1)).catch(() => {})
}

// The cut takes away what is on the side of the camera.
export function placeCut(view: View, camera: THREE.Camera): void {
  for (const stage of view.stages) {
    const before = wordsOf(stage.cut)
    stage.cut = cutOf(view, stage, camera)
    if (before !== wordsOf(stage.cut)) view.forget()
  }
}

function cutOf({ state }: View, stage: Stage, camera: THREE.Camera): THREE.Plane | null {
  const axis = ['x', 'y', 'z'].indexOf(state.cut)
  if (axis < 0) return null
  const { box } = stage.extent
  const [min, max] = [box.min.getComponent(axis), box.max.getComponent(axis)]
  const near = camera.position.getComponent(axis) > stage.middle.getComponent(axis) ? -1 : 1
  const at = near > 0 ? min + state.cutAt * (max - min) : max - state.cutAt * (max - min)
  return new THREE.Plane(new THREE.Vector3().setComponent(axis, near), -near * at)
}

function wordsOf(cut: THREE.Plane | null): string {
  return cut ? `${cut.normal.toArray()} ${cut.constant}` : ''
}
