import type ICAL from 'ical.js'
import { fail } from '../../base/problems.ts'
import { decodeText } from '../../base/text/decode.ts'

// The parts of a calendar, each read alone: what is broken in one must not hide the others.

/** A line of a component, without its name. */
export interface Property {
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly values: readonly unknown[]
  /** Its value as it was written. */
  readonly written: string
}

export type Properties = ReadonlyMap<string, readonly Property[]>

/** An event of a calendar. A series is one, and each of its dates that differ. */
export interface CalendarComponent {
  /** Its number in the file, from 1. */
  readonly place: number
  readonly properties: Properties
}

export interface CalendarParts {
  readonly properties: Properties
  readonly events: readonly CalendarComponent[]
  /** The definitions of time zones, by name. */
  readonly zones: ReadonlyMap<string, string>
}

export const maxCalendarBytes = 10 * 1024 * 1024
export const maxComponents = 5000

/**
 * Reads a calendar (RFC 5545). Its size is checked before anything else is done.
 *
 * @throws not-a-calendar, also for a web page and a file that was cut off, and rest_request_too_large
 */
export async function readCalendarParts(bytes: Uint8Array): Promise<CalendarParts> {
  const tooLarge = { text: 'rest_request_too_large.calendar' } as const
  if (bytes.length > maxCalendarBytes) fail('rest_request_too_large', tooLarge)
  const text = decodeText(unfolded(bytes)).replace(/^\ufeff/, '')
  if (!/^\s*BEGIN:VCALENDAR\b/i.test(text) || !/^END:VCALENDAR\s*$/im.test(text)) fail('not-a-calendar')
  if ((text.match(/^BEGIN:VEVENT\b/gim)?.length ?? 0) > maxComponents) fail('rest_request_too_large', tooLarge)
  const { default: ical } = await import('ical.js')
  return partsOf(ical, text)
}

/** Joins folded lines. Programs fold after 75 bytes, also within a sign, so this is done before these are decoded. */
function unfolded(bytes: Uint8Array): Buffer {
  const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe
  const lines = Buffer.from(isUtf16 ? decodeText(bytes) : bytes).toString('latin1')
  return Buffer.from(lines.replace(/\r\n?/g, '\n').replace(/\n[ \t]/g, ''), 'latin1')
}

function partsOf(ical: typeof ICAL, text: string): CalendarParts {
  const calendar: string[] = []
  const events: string[][] = []
  const zones = new Map<string, string>()
  const inside: string[] = []
  let zone: string[] = []
  for (const line of text.split('\n')) {
    const [, word = '', name = ''] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line) ?? []
    const part = name.toUpperCase()
    // An event that another one begins in has lost its end.
    if (word.toUpperCase() === 'BEGIN' && part === 'VEVENT') {
      inside.length = 1
      events.push([])
    }
    if (part === 'VTIMEZONE' && word.toUpperCase() === 'BEGIN') zone = []
    if (inside[1] === 'VTIMEZONE' || part === 'VTIMEZONE') zone.push(line)
    if (word.toUpperCase() === 'BEGIN') inside.push(part)
    else if (word.toUpperCase() === 'END') {
      if (part === 'VTIMEZONE') {
        const id = zone.find((one) => /^TZID[:;]/i.test(one))
        if (id) zones.set(id.slice(id.indexOf(':') + 1).trim(), zone.join('\n'))
      }
      if (inside.includes(part)) inside.length = inside.lastIndexOf(part)
    } else if (inside.length === 1) calendar.push(line)
    else if (inside.length === 2 && inside[1] === 'VEVENT') events.at(-1)?.push(line)
  }
  return {
    properties: propertiesOf(ical, calendar),
    events: events.map((lines, place) => ({ place: place + 1, properties: propertiesOf(ical, lines) })),
    zones,
  }
}

/** Reads lines. One that has no name continues the text before it, as some programs break lines without folding them. */
function propertiesOf(ical: typeof ICAL, lines: readonly string[]): Properties {
  const joined: string[] = []
  for (const line of lines) {
    if (/^[\w-]+[;:]/.test(line) || joined.length === 0) joined.push(line)
    else if (line.trim() !== '') joined.push(`${joined.pop()}\\n${line}`)
  }
  return Map.groupBy(
    joined.flatMap((line) => propertyOf(ical, line) ?? []),
    ({ name }) => name,
  )
}

function propertyOf(ical: typeof ICAL, line: string): (Property & { readonly name: string }) | undefined {
  try {
    // Outlook names zones such as “(UTC-05:00) Eastern Time” without quotation marks.
    const quoted = line.replace(/;TZID=(\([^";]*\)[^";:]*):/i, ';TZID="$1":')
    const [name, params, , ...values] = ical.parse.property(quoted) as unknown as [string, Property['params'], string]
    return { name, params, values, written: writtenValue(quoted) }
  } catch {
    // A rule that the library does not know is followed no further, but the event repeats.
    const name = /^[\w-]+/.exec(line)?.[0].toLowerCase()
    return name === 'rrule' ? { name, params: {}, values: [], written: writtenValue(line) } : undefined
  }
}

/** The part after the first colon outside of quotation marks. */
function writtenValue(line: string): string {
  return /^(?:"[^"]*"|[^":])*:(.*)$/s.exec(line)?.[1]?.trim() ?? ''
}

/** Returns the first value of a property as text; '' if there is none. */
export function textOf(properties: Properties, name: string): string {
  const value = properties.get(name)?.[0]?.values[0]
  return typeof value === 'string' ? value.trim() : ''
}
