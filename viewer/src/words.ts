// Words and numbers as a reader knows them.

const NAMES: Record<string, string> = {
  kinetic: 'energy of motion',
  potential: 'potential energy',
  law: 'lost in impacts',
  rest: 'lost in resting contact',
  driven: 'put in by driven bodies',
  scheme: 'error of time stepping',
  momentum_x: 'momentum x',
  momentum_y: 'momentum y',
  momentum_z: 'momentum z',
  deepest: 'deepest overlap',
  fastest: 'fastest approach',
  sum: 'sum of normal impulses',
  start: 'starting place',
  body: 'body',
}

export function wordsFor(name: string): string {
  return NAMES[name] ?? name.replaceAll('_', ' ')
}

// At most four digits, without a trail of zeros, with a real minus.
export function short(value: number, digits = 3): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) {
    const [number, power] = value.toExponential(digits - 1).split('e')
    return `${+number}e${+power}`.replace('-', '−').replace('e-', 'e−')
  }
  return `${+value.toPrecision(digits)}`.replace('-', '−')
}

// Beside an axis: at most seven characters.
export function brief(value: number): string {
  const size = Math.abs(value)
  return size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(2).replace(/\.?0*e\+?/, 'e') : `${+value.toPrecision(4)}`
}

const PARTS: [number, string][] = [[1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']]

// A number with its unit; seconds, metres and newtons with the prefix that makes them readable.
export function quantity(value: number, unit: string): string {
  if (unit === '1' || unit === '') return short(value)
  if (!['s', 'm', 'N', 'N s', 'J', 'm/s'].includes(unit) || value === 0 || Math.abs(value) >= 0.1) return `${short(value)} ${unit}`
  const [share, prefix] = PARTS.find(([size]) => Math.abs(value) >= size) ?? PARTS[3]
  return `${short(value / share)} ${prefix}${unit}`
}
