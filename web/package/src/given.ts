// What a caller gives, looked at on its way into the module's memory.
import type { Body, Contact, Vector } from './index.js'
import { CaromError, shown } from './module.js'

export const BODY = 16 // numbers of carom_impact_body
export const CONTACT = 16 // of carom_impact_contact, its two indices in the first

const ZERO: Vector = [0, 0, 0]

export function need(good: boolean, name: string, value: unknown, fix: string, number = -1): void {
  if (!good) throw new CaromError(`${name}${number < 0 ? '' : ` ${number}`} is ${shown(value)}`, '', fix)
}

export function needObject(value: unknown, name: string, number = -1): void {
  need(typeof value === 'object' && value !== null, name, value, 'give an object', number)
}

// What is no number would be 0 or NaN in the module's memory, and what is too long would run into what follows. `name` and
// `number` (of the body or contact) are for messages, which are made where one is needed.
export function putNumber(to: Float64Array, at: number, from: number, name: string, number = -1): void {
  need(typeof from === 'number', name, from, 'give a number', number)
  to[at] = from
}

export function putVector(to: Float64Array, at: number, from: Vector, name: string, number = -1): void {
  need(typeof from === 'object' && from !== null && from.length === 3, name, from, 'give three numbers', number)
  for (let k = 0; k < 3; ++k) putNumber(to, at + k, from[k], name, number)
}

export function putIndex(to: Int32Array, at: number, from: number, name: string, number = -1): void {
  need(Number.isInteger(from) && from >= 0 && from < 2 ** 31, name, from, 'give the number of a body, counted from 0', number)
  to[at] = from
}

export function putBody(to: Float64Array, at: number, body: Body, number = -1): void {
  needObject(body, 'body', number)
  const inertia = body.inverseInertia ?? (body.mass === Infinity ? 0 : 10)
  need(typeof inertia === 'number' || inertia.length === 6, 'inverseInertia of body', inertia, 'give one number or six', number)
  putNumber(to, at, body.mass ?? 1, 'mass of body', number)
  to[at] = 1 / to[at]
  for (let k = 0; k < 6; ++k)
    putNumber(to, at + 1 + k, typeof inertia !== 'number' ? inertia[k] : k < 3 ? inertia : 0, 'inverseInertia of body', number)
  putVector(to, at + 7, body.position ?? ZERO, 'position of body', number)
  putVector(to, at + 10, body.velocity ?? ZERO, 'velocity of body', number)
  putVector(to, at + 13, body.spin ?? ZERO, 'spin of body', number)
}

export function putContact(numbers: Float64Array, integers: Int32Array, n: number, one: Contact, number: number): void {
  needObject(one, 'contact', number)
  putIndex(integers, 2 * n, one.a, 'a of contact', number)
  putIndex(integers, 2 * n + 1, one.b, 'b of contact', number)
  putVector(numbers, n + 1, one.point, 'point of contact', number)
  putVector(numbers, n + 4, one.normal, 'normal of contact', number)
  putNumber(numbers, n + 7, one.restitution ?? 1, 'restitution of contact', number)
  putNumber(numbers, n + 8, one.friction ?? 0, 'friction of contact', number)
  putNumber(numbers, n + 9, one.stiffness ?? 1, 'stiffness of contact', number)
  putNumber(numbers, n + 10, one.exponent ?? 1.5, 'exponent of contact', number)
  putNumber(numbers, n + 11, one.gap ?? 0, 'gap of contact', number)
  putNumber(numbers, n + 12, one.tangentialRestitution ?? 0, 'tangentialRestitution of contact', number)
  putVector(numbers, n + 13, one.shift ?? ZERO, 'shift of contact', number)
}
