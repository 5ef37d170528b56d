// What a source says of itself, as the page works with it and as it is sent.
export interface Body {
  name: string
  form: number
  kind: number // 0 moving, 1 fixed, 2 driven, 3 removed
  mass: number // kg; 0: infinite
  colour: number // 0xrrggbb; -1: chosen by the page
  servo?: boolean // a wall that a servo presses
  opacity?: number // below 1: one sees through it
  roughness?: number // 0.5 where it is not said
  ghost?: boolean // drawn as glass with its edges: a reference
  restitution?: number
  friction?: number
}

export interface Form {
  radius?: number // of a sphere, m
  vertices?: number
  indices?: number
  channels?: number // numbers per vertex
  plane: boolean
}

export interface Column {
  name: string
  unit: string
  values: number[]
}

export interface Panel {
  title: string
  unit: string
  columns: string[]
}

export interface Joint {
  kind: string
  a: number // body; -1: the world
  b: number
  anchor_a: [number, number, number]
  anchor_b: [number, number, number]
  span?: [number, number] // m: distances of the anchors at which a line is whole
}

// Something to colour by: a number per body, or per vertex.
export interface Scale {
  name: string
  unit: string
  min?: number
  max?: number
  signed?: boolean
}

export interface Settings {
  law: string
  gravity: [number, number, number]
  restitution: number
  friction: number
  duration: number
  changes: number // that can be taken back
}

export interface Description {
  kind: string // recording, live, impact, tower, chain, bounce map
  title: string
  law?: string
  laws?: string[]
  facts?: [string, string][] // of the whole
  damage?: string
  flat?: boolean // seen from the front
  stretch?: boolean // in place of the spin stands how much a body is stretched
  unit?: string // of time; s
  force?: string // unit of what the arrows show; N s
  rate?: number // of time per second at speed 1; 1
  values?: Scale
  channels?: Scale[]
  frames: number
  times: number[]
  labels?: string[]
  bodies: Body[]
  joints?: Joint[]
  forms: Form[]
  ledger: Column[]
  panels?: Panel[]
  contacts?: boolean // false: none were recorded
  running?: boolean
  settings?: Settings
}

// A description as it is sent. Of bodies each says what differs from the one before it; one without a name counts on
// (grain[7], grain[8]), and so do `alike` more that differ by nothing else.
type Told = Omit<Description, 'bodies'> & { bodies: (Partial<Body> & { alike?: number })[] }

export function describe(text: string): Description {
  const told = JSON.parse(text) as Told
  const bodies: Body[] = []
  let [stem, count, end] = ['', 0, '']
  for (const { alike = 0, ...own } of told.bodies) {
    if (own.name !== undefined) {
      const found = /^(.*?)(\d{1,9})(\]?)$/.exec(own.name)
      if (found) [stem, count, end] = [found[1], Number(found[2]), found[3]]
    } else ++count
    const body = { ...bodies.at(-1), ...own, name: own.name ?? `${stem}${count}${end}` } as Body
    bodies.push(body)
    for (let i = 0; i < alike; ++i) bodies.push({ ...body, name: `${stem}${++count}${end}` })
  }
  return { ...told, bodies }
}

// What a page holds as base64.
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64)
  const bytes = new Uint8Array(letters.length)
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i)
  return bytes
}
