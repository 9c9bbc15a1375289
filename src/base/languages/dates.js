// Writes days and hours as in Canada: on pages, in feeds and in browsers, which load this file unchanged. The functions
// are documented in dates.d.ts.

const writtenStyles = {
  day: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  dayOfYear: { weekday: 'long', month: 'long', day: 'numeric' },
  shortDate: { weekday: 'short', month: 'short', day: 'numeric' },
  shortDay: { year: 'numeric', month: 'short', day: 'numeric' },
  dayRange: { year: 'numeric', month: 'long', day: 'numeric' },
  shortMoment: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  dayOfMonth: { month: 'long', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  monthName: { month: 'long' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
}

export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Removes line breaks within an hour: “20 h 30”, “7:30 p.m.”. */
function unbrokenHours(text) {
  return text.replace(/(?<=\d)\s(?=h(?!\p{L})|[ap]\.m\.)|(?<=\d\sh)\s(?=\d)/gu, '\u00a0')
}

export function shortHour(text) {
  return text.replace(/\s([ap])\.m\./, '$1')
}

/** Returns a pattern with each `{name}` replaced by the text of that name. */
export function filled(pattern, texts) {
  return pattern.replace(/\{(\w+)\}/g, (all, name) => texts[name] ?? all)
}

/** Joins the parts of a date. Whole hours are written without minutes (“19 h”, “7 p.m.”). */
function joinedParts({ firstOfMonth, wholeHour }, parts) {
  const texts = parts.map(({ type, value }, place) => {
    const [before, after] = [parts[place - 1], parts[place + 1]]
    if (type === 'minute' && value === '00') return ''
    if (type === 'literal' && before?.type === 'hour' && after?.type === 'minute' && after.value === '00') {
      return wholeHour
    }
    return type === 'day' && value === '1' ? firstOfMonth : value
  })
  return unbrokenHours(texts.join(''))
}

export function createDateWriter(rules, timeZone, remembered = (_style, _times, write) => write()) {
  const formats = new Map()
  const formatOf = (style) => {
    const known = formats.get(style) ?? new Intl.DateTimeFormat(rules.locale, { ...writtenStyles[style], timeZone })
    formats.set(style, known)
    return known
  }
  const text = (style, at) => remembered(style, [at], () => joinedParts(rules, formatOf(style).formatToParts(at)))
  const isSameDay = (from, to) => text('dayRange', from) === text('dayRange', to)
  const range = (style, from, to) => formatOf(style).formatRangeToParts(from, to)

  const days = (from, to) => {
    const parts = range('dayRange', from, to)
    if (rules.days === undefined || isSameDay(from, to)) return joinedParts(rules, parts)
    const middle = parts.findIndex(({ source }) => source === 'endRange')
    const [before, after] = [parts.slice(0, middle - 1), parts.slice(middle)]
    return filled(rules.days, { from: joinedParts(rules, before), to: joinedParts(rules, after) })
  }

  const hours = (from, to) => {
    if (from === to) return text('time', from)
    if (rules.hours === undefined)
      return remembered('hours', [from, to], () => joinedParts(rules, range('time', from, to)))
    return filled(rules.hours, { from: text('time', from), to: text('time', to) })
  }

  const moment = (at) => {
    if (rules.moment === undefined) return text('shortMoment', at)
    return filled(rules.moment, { day: text('shortDay', at), time: text('time', at) })
  }

  const span = (from, to) => {
    if (isSameDay(from, to)) return hours(from, to)
    return filled(rules.moments, { from: moment(from), to: moment(to) })
  }

  const when = (from, to, isAllDay) => {
    if (!isSameDay(from, to)) return (isAllDay ? days : span)(from, to)
    const day = text('day', from)
    return isAllDay ? day : `${day}, ${hours(from, to)}`
  }

  return { text, days, hours, span, when }
}
