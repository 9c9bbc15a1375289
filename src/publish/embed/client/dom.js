// Elements without markup: texts are only ever texts, so that nothing of what was fetched is run or laid out.

/**
 * An element with these attributes and children.
 *
 * @param attributes Those that are undefined or false are left out; those that are true have no value.
 * @param children Elements and texts; what is undefined, false or empty is left out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(attribute, value === true ? '' : String(value))
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== false && child !== ''))
  return made
}

/** A button that does this. */
export function button(attributes, text, onClick) {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', onClick)
  return made
}

/** An address that may stand in a link or a picture; undefined for every other. */
export function safeUrl(url) {
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}
