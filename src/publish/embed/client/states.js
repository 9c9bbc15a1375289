import { element } from './dom.js'

/**
 * Returns what happens to an event: `states`, the names of words, at most one status and one attendance; `isOff`,
 * whether it does not take place at its time; `isMoved`, whether its venue is no longer its place.
 */
export function stateOf({ event_status: status, attendance }) {
  const isMoved = status === 'moved_online' && attendance === 'online'
  const states = [status, status !== 'canceled' && !isMoved && attendance]
  return { states: states.filter(Boolean), isOff: /^(canceled|postponed)$/.test(status), isMoved }
}

/** Returns states as words, each with the shape that the style gives it. */
export function stateWords({ say, language }, states, kind = 'state') {
  return states.map((state) =>
    element('span', { class: `${kind} ${state}`, part: 'badge', lang: language }, say(`word.${state}`)),
  )
}

/** Returns a child, struck out if it no longer applies. */
export function struckIf(isStruck, child) {
  return isStruck ? element('s', {}, child) : child
}

/** Removes the status that the service adds to titles in any language, because badges show it. */
export function bareTitle(title, { event_status }, { addedToTitles }) {
  const added = addedToTitles[event_status]?.find((text) => title.startsWith(text))
  return added ? title.slice(added.length) : title
}
