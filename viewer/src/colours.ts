// Colours: eight for bodies (readable on light and dark), one perceptual scale for numbers.
const BODIES = [0x4c78a8, 0xf58518, 0x54a24b, 0xe45756, 0x72b7b2, 0xb279a2, 0xeeca3b, 0x9d755d]
export const STILL = 0xa0a7ad // fixed and driven bodies
export const STILL_DARK = 0x5d666f

export function bodyColour(index: number): number {
  return BODIES[index % BODIES.length]
}

// Samples of a dark blue to yellow scale with even steps of lightness.
const SCALE: [number, number, number][] = [
  [0.267, 0.005, 0.329], [0.283, 0.141, 0.458], [0.254, 0.265, 0.53], [0.207, 0.372, 0.553],
  [0.164, 0.471, 0.558], [0.128, 0.567, 0.551], [0.135, 0.659, 0.518], [0.267, 0.749, 0.441],
  [0.478, 0.821, 0.318], [0.741, 0.873, 0.15], [0.993, 0.906, 0.144],
]

export type Rgb = [number, number, number]

// 0 to 1, as red, green and blue from 0 to 1.
export function ramp(value: number, out: Rgb): void {
  const place = Math.min(Math.max(value, 0), 1) * (SCALE.length - 1)
  const low = Math.min(Math.floor(place), SCALE.length - 2)
  const share = place - low
  for (let k = 0; k < 3; ++k) out[k] = SCALE[low][k] * (1 - share) + SCALE[low + 1][k] * share
}

// The same as a picture, from left to right.
export function gradient(): string {
  return `linear-gradient(90deg, ${colourList().join(', ')})`
}

export function colourList(): string[] {
  return SCALE.map((c) => `rgb(${c.map((v) => Math.round(255 * v)).join(' ')})`)
}
