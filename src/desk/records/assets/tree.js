// Moves categories in their tree, with a pointer or the arrow keys. Without it, the form of a category says what it is
// below.

import { dragByTouch } from '../../shell/assets/touch.drag.js'

const tree = document.querySelector('[data-tree]')
const treeSaid = document.querySelector('[data-said]')
const treeTexts = JSON.parse(tree.dataset.texts)
const rows = [...tree.querySelectorAll('[data-term]')]
const topZone = document.querySelector('[data-top]')

/** What is being moved: `{ row, target }`. The target is a row, or the zone of the top. */
let held

function fillTree(key, values) {
  return treeTexts[key].replace(/\{(\w+)\}/g, (_, name) => values[name])
}

function tellTree(text) {
  treeSaid.textContent = text
  treeSaid.classList.toggle('unseen', !held)
}

const depthOf = (row) => Number(row.dataset.depth)

/** Returns a category and those below it: they follow it, and are deeper. */
function branchOf(row) {
  const first = rows.indexOf(row)
  const next = rows.findIndex((one, place) => place > first && depthOf(one) <= depthOf(row))
  return rows.slice(first, next < 0 ? rows.length : next)
}

/** Returns the places to which a category can move, from top to bottom. */
function placesFor(row) {
  const own = new Set(branchOf(row))
  return [topZone, ...rows.filter((one) => !own.has(one))]
}

const parentOf = (place) => (place === topZone ? '' : place.dataset.term)

function whereText({ row, target }) {
  const { name } = row.dataset
  return target === topZone ? fillTree('to-top', { name }) : fillTree('below', { name, parent: target.dataset.name })
}

function showTree() {
  for (const one of [topZone, ...rows]) one.classList.remove('drop-target')
  if (!held) return
  held.target.classList.add('drop-target')
  if (!held.isTouched) held.target.scrollIntoView({ block: 'nearest' })
  tellTree(whereText(held))
}

function take(row, more = {}) {
  const target = placesFor(row).find((place) => parentOf(place) === row.dataset.parent) ?? topZone
  held = { row, target, ...more }
  row.classList.add('picked-up')
}

function release(key) {
  const { row } = held
  held = undefined
  row.classList.remove('picked-up')
  showTree()
  tellTree(key ? fillTree(key, { name: row.dataset.name }) : '')
}

/** Sends the form that moves a category. The list then offers to undo it. */
function place() {
  const { row, target } = held
  const { term, parent } = row.dataset
  const to = parentOf(target)
  if (to === parent) return release('kept')
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `${tree.dataset.at}${term}/move/`
  form.hidden = true
  const csrf = document.querySelector('input[name=csrf]').value
  for (const [name, value] of Object.entries({ csrf, parent: to, was: parent })) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

/** Returns the place under the pointer. A touch has the element as its target on which it began. */
function targetOf({ clientX, clientY }) {
  const target = document.elementFromPoint(clientX, clientY)?.closest('[data-term], [data-top]')
  return target && placesFor(held.row).includes(target) ? target : undefined
}

/** Moves what is dragged to a place of the pointer. Returns whether it can be dropped there. */
function dragTo(pointer) {
  const target = held?.isDragged && targetOf(pointer)
  if (!target) return false
  if (held.target === target) return true
  held.target = target
  showTree()
  return true
}

/** Ends a drag. Escape and a place outside the tree move nothing. */
function endDrag(isDropped) {
  if (isDropped) place()
  else release('kept')
}

tree.addEventListener('dragstart', (event) => {
  const row = event.target.closest?.('[data-term]')
  if (!row) return
  if (held) release()
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData('text/plain', row.dataset.name)
  take(row, { isDragged: true })
})
addEventListener('dragover', (event) => {
  if (dragTo(event)) event.preventDefault()
})
addEventListener('drop', (event) => {
  if (!held?.isDragged) return
  event.preventDefault()
  held.isDropped = targetOf(event) !== undefined
})
addEventListener('dragend', () => held?.isDragged && endDrag(held.isDropped))
dragByTouch(tree, '[data-term]', {
  pickUp: (row) => {
    if (held) release()
    take(row, { isDragged: true, isTouched: true })
    showTree()
  },
  moveTo: dragTo,
  end: endDrag,
})

const steps = { ArrowUp: -1, ArrowDown: 1 }

tree.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  // A drag has keys of its own.
  if (held?.isDragged) return
  const { key } = event
  if (!held) {
    const row = event.target.closest('th a')?.closest('[data-term]')
    if (key !== ' ' || !row) return
    event.preventDefault()
    take(row)
    return tellTree(fillTree('picked', { name: row.dataset.name }))
  }
  if (key === 'Tab') return release('kept')
  if (!steps[key] && !['Escape', 'Enter', ' '].includes(key)) return
  event.preventDefault()
  if (key === 'Escape') return release('kept')
  if (key === 'Enter' || key === ' ') return place()
  const places = placesFor(held.row)
  const next = places.indexOf(held.target) + steps[key]
  held.target = places[Math.min(Math.max(next, 0), places.length - 1)]
  showTree()
})
tree.addEventListener('focusout', () => held && !held.isDragged && release('kept'))

for (const row of rows) {
  row.draggable = true
  row.querySelector('th a').setAttribute('aria-describedby', 'tree-space')
}
tree.classList.add('live')
topZone.hidden = false
for (const how of document.querySelectorAll('[data-how], [data-how-touch]')) how.hidden = false
tellTree('')

// After a move, the focus is on the category again.
const movedTerm = new URLSearchParams(location.search).get('moved')
const movedRow = movedTerm && tree.querySelector(`[data-term="${CSS.escape(movedTerm)}"]`)
if (movedRow) {
  movedRow.querySelector('th a').focus()
  tellTree(document.querySelector('.notice p')?.textContent ?? '')
}
