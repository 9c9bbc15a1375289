/** Returns what gets the focus in a row: the link that names it, or the first thing to press. No field takes the keys. */
export function stopOf(row) {
  return row.querySelector('th a') ?? row.querySelector('a, input[type=checkbox], button')
}
