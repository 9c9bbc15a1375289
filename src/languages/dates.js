// How days and hours are written in English and in French, as in Canada: on pages, in feeds and in browsers. Plain
// JavaScript, since browsers get this file as it is.

const writtenStyles = {
  day: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  dayOfYear: { weekday: 'long', month: 'long', day: 'numeric' },
  shortDay: { year: 'numeric', month: 'short', day: 'numeric' },
  dayRange: { year: 'numeric', month: 'long', day: 'numeric' },
  shortMoment: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { year: 'numeric', month: 'long' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
}

/** A text as it begins a line or a heading: French writes days and months small elsewhere. */
export function capitalised(text) {
  return text.charAt(0).toLocaleUpperCase('fr') + text.slice(1)
}

/** With no line ending within an hour: “20 h 30”, “7:30 p.m.”. */
function unbrokenHours(text) {
  return text.replace(/(?<=\d)\s(?=h(?!\p{L})|[ap]\.m\.)|(?<=\d\sh)\s(?=\d)/gu, '\u00a0')
}

/**
 * Parts of a date as one text: whole hours are said without minutes (“19 h”, “7 p.m.”), and in French the first of a
 * month is “1er”.
 */
function joinedParts(isFrench, parts) {
  const texts = parts.map(({ type, value }, place) => {
    const [before, after] = [parts[place - 1], parts[place + 1]]
    if (type === 'minute' && value === '00') return ''
    if (type === 'literal' && before?.type === 'hour' && after?.type === 'minute' && after.value === '00') {
      return isFrench ? ' h' : ''
    }
    return isFrench && type === 'day' && value === '1' ? '1er' : value
  })
  return unbrokenHours(texts.join(''))
}

/**
 * What writes dates in a language on the clocks of a zone, all from milliseconds since 1970.
 *
 * @param language `en` or `fr`.
 * @param timeZone Left out in a browser: the visitor’s own.
 */
export function writerOf(language, timeZone) {
  const isFrench = language === 'fr'
  const formats = new Map()
  const formatOf = (style) => {
    const known = formats.get(style) ?? new Intl.DateTimeFormat(`${language}-CA`, { ...writtenStyles[style], timeZone })
    formats.set(style, known)
    return known
  }
  const text = (style, at) => joinedParts(isFrench, formatOf(style).formatToParts(at))
  const isSameDay = (from, to) => text('dayRange', from) === text('dayRange', to)
  const range = (style, from, to) => formatOf(style).formatRangeToParts(from, to)

  /** Whole days, from the first to the last: “December 14–17, 2030”, “du 14 au 17 décembre 2030”. */
  const days = (from, to) => {
    const parts = range('dayRange', from, to)
    if (!isFrench || isSameDay(from, to)) return joinedParts(isFrench, parts)
    const middle = parts.findIndex(({ source }) => source === 'endRange')
    const [before, after] = [parts.slice(0, middle - 1), parts.slice(middle)]
    return `du ${joinedParts(true, before)} au ${joinedParts(true, after)}`
  }

  /** Hours of one day: “7–8:30 p.m.”, “de 19 h à 20 h 30”. */
  const hours = (from, to) => {
    if (from === to) return text('time', from)
    if (isFrench) return `de ${text('time', from)} à ${text('time', to)}`
    return joinedParts(false, range('time', from, to))
  }

  /** Hours, or from which day and hour until which. */
  const span = (from, to) => {
    if (isSameDay(from, to)) return hours(from, to)
    if (!isFrench) return `${text('shortMoment', from)} – ${text('shortMoment', to)}`
    const [first, last] = [from, to].map((at) => `${text('shortDay', at)} à ${text('time', at)}`)
    return `du ${first} au ${last}`
  }

  /** Days, and hours where there are any: a line of its own. */
  const when = (from, to, isAllDay) => {
    if (!isSameDay(from, to)) return capitalised(isAllDay ? days(from, to) : span(from, to))
    const day = capitalised(text('day', from))
    return isAllDay ? day : `${day}, ${hours(from, to)}`
  }

  return { text, days, hours, span, when }
}
