// Elements are built without markup: fetched text stays text.

/**
 * Creates an element.
 *
 * @param attributes Undefined and false are left out; true gives an empty value.
 * @param children Elements and texts; undefined, false and '' are left out.
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

/** Creates a button. */
export function button(attributes, text, onClick) {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', onClick)
  return made
}

/** Returns an http(s) address unchanged, and undefined for any other. */
export function safeUrl(url) {
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}

/** Returns the names that are not empty as one attribute. */
export function namesOf(kinds) {
  return kinds.filter(Boolean).join(' ') || undefined
}
