// Pixels of the picture, to tell whether something is drawn, and whether it changed.

// 96 x 60, four numbers each; as text on the way, which costs a tenth of so many numbers.
export const pixelsOf = async (page) => {
  const text = await page.evaluate(() => {
    const canvas = document.querySelector('.stages canvas')
    const small = document.createElement('canvas')
    small.width = 96
    small.height = 60
    const pen = small.getContext('2d')
    pen.drawImage(canvas, 0, 0, 96, 60)
    return btoa(String.fromCharCode(...pen.getImageData(0, 0, 96, 60).data))
  })
  return [...Buffer.from(text, 'base64')]
}

export const difference = (a, b) => a.reduce((sum, value, i) => sum + (Math.abs(value - b[i]) > 12 ? 1 : 0), 0)

export const colours = (pixels) => {
  const seen = new Set()
  for (let i = 0; i < pixels.length; i += 4) seen.add(`${pixels[i] >> 4},${pixels[i + 1] >> 4},${pixels[i + 2] >> 4}`)
  return seen.size
}

// Those that are not grey.
export const coloured = (pixels) => {
  let count = 0
  for (let i = 0; i < pixels.length; i += 4) {
    const rgb = [pixels[i], pixels[i + 1], pixels[i + 2]]
    if (Math.max(...rgb) - Math.min(...rgb) > 50) ++count
  }
  return count
}

// How many differ between the first picture and any of the others.
export const changed = (first, ...others) => {
  let count = 0
  for (let i = 0; i < first.length; i += 4)
    if (others.some((other) => [0, 1, 2].some((k) => Math.abs(first[i + k] - other[i + k]) > 24))) ++count
  return count
}
