// How days and hours are written as in Canada: on pages, in feeds and in browsers, which get this file as it is. What its
// functions do is said in dates.d.ts.

const writtenStyles = {
  day: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  dayOfYear: { weekday: 'long', month: 'long', day: 'numeric' },
  shortDate: { weekday: 'short', month: 'short', day: 'numeric' },
  shortDay: { year: 'numeric', month: 'short', day: 'numeric' },
  dayRange: { year: 'numeric', month: 'long', day: 'numeric' },
  shortMoment: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { year: 'numeric', month: 'long' },
  shortMonth: { month: 'short' },
  shortWeekday: { weekday: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
}

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

export function createDateWriter(language, timeZone) {
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

  const days = (from, to) => {
    const parts = range('dayRange', from, to)
    if (!isFrench || isSameDay(from, to)) return joinedParts(isFrench, parts)
    const middle = parts.findIndex(({ source }) => source === 'endRange')
    const [before, after] = [parts.slice(0, middle - 1), parts.slice(middle)]
    return `du ${joinedParts(true, before)} au ${joinedParts(true, after)}`
  }

  const hours = (from, to) => {
    if (from === to) return text('time', from)
    if (isFrench) return `de\u00a0${text('time', from)} à\u00a0${text('time', to)}`
    return joinedParts(false, range('time', from, to))
  }

  const span = (from, to) => {
    if (isSameDay(from, to)) return hours(from, to)
    if (!isFrench) return `${text('shortMoment', from)} – ${text('shortMoment', to)}`
    const [first, last] = [from, to].map((at) => `${text('shortDay', at)} à\u00a0${text('time', at)}`)
    return `du ${first} au ${last}`
  }

  const when = (from, to, isAllDay) => {
    if (!isSameDay(from, to)) return capitalised(isAllDay ? days(from, to) : span(from, to))
    const day = capitalised(text('day', from))
    return isAllDay ? day : `${day}, ${hours(from, to)}`
  }

  return { text, days, hours, span, when }
}
