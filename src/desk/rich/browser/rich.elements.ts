/** Returns a new element. Its texts are never read as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const svgNamespace = 'http://www.w3.org/2000/svg'

/** Returns a drawing on 24 × 24 units, which screen readers skip. */
export function makeIcon(path: string): SVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const drawn = document.createElementNS(svgNamespace, 'path')
  drawn.setAttribute('d', path)
  svg.append(drawn)
  return svg
}
