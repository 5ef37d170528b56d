// Signs drawn as paths: fonts do not all have them.
const PATHS: Record<string, string> = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  start: 'M5 5h2.6v14H5zM19 5v14L8.6 12z',
  back: 'M15.5 5v14L7 12z',
  on: 'M8.5 5v14L17 12z',
  loop: 'M7 7h9V4l5 4.5L16 13v-3H9v3H7zM17 17H8v3l-5-4.5L8 11v3h7v-3h2z',
  slow: 'M12 3a9 9 0 1 0 9 9h-2.4A6.6 6.6 0 1 1 12 5.4zM11 7h2v5.2l4 2.4-1 1.7-5-3z',
  picture: 'M8.6 5 10 3h4l1.4 2H20v14H4V5zM12 8.2a4 4 0 1 0 .01 0zM12 10.2a2 2 0 1 1-.01 0z',
  video: 'M12 6a6 6 0 1 0 .01 0z',
  stop: 'M6 6h12v12H6z',
  plots: 'M4 4h2v14h14v2H4zM8 15l3.5-5 3 3L19 6.5l1.4 1.2-5.7 8.1-3.1-3L9.5 16z',
  more: 'M4 6h16v2H4zM4 11h16v2H4zM4 16h16v2H4z',
  help: 'M11 16.5h2.2V19H11zM8 9a4 4 0 1 1 6.2 3.3c-.8.5-1 .9-1 1.7v.8H11v-1c0-1.6.5-2.5 1.8-3.3A1.8 1.8 0 1 0 10.200 9z',
}

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.dataset.icon = name
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', PATHS[name])
  path.setAttribute('fill-rule', 'evenodd')
  svg.append(path)
  return svg
}

export function button(name: string, hint: string, action: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.title = hint
  made.setAttribute('aria-label', hint)
  made.append(icon(name))
  made.addEventListener('click', (event) => {
    action()
    if (event.detail > 0) made.blur() // clicked with a pointer: the space bar stays with the player
  })
  return made
}
