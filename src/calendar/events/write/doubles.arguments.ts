import { accepted, itemsOf, refused } from '../../../access/http/arguments/argument.rules.ts'
import type { ArgumentRule, Arguments } from '../../../access/http/arguments/argument.ts'
import { isLocalDateTime, type LocalDateTime } from '../../../base/time/local.date.time.ts'

/** The most events of one request. */
const maxEvents = 200
const longestTitle = 1000

export interface TitleAndStart {
  readonly title: string
  readonly start: LocalDateTime
}

const eventsRule: ArgumentRule<readonly TitleAndStart[]> = (raw) => {
  if (!Array.isArray(raw)) return refused('fault.list')
  const items = itemsOf(raw, maxEvents)
  if ('fault' in items) return items
  const events = items.value.flatMap((item): readonly TitleAndStart[] => {
    const { title, start_date: start } = (item ?? {}) as { readonly title?: unknown; readonly start_date?: unknown }
    const isTitle = typeof title === 'string' && title.trim() !== '' && title.length <= longestTitle
    return isTitle && typeof start === 'string' && isLocalDateTime(start) ? [{ title, start }] : []
  })
  return events.length > 0 && events.length === items.value.length ? accepted(events) : refused('fault.doubles')
}

export const doubleArguments = {
  events: {
    read: eventsRule,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: longestTitle },
          start_date: { type: 'string', minLength: 19, maxLength: 19 },
        },
        required: ['title', 'start_date'],
      },
      ...{ minItems: 1, maxItems: maxEvents, examples: [[{ title: 'Book fair', start_date: '2030-03-05 19:30:00' }]] },
    },
    type: 'string',
    isRequired: true,
    description: 'events.doubles',
  },
} as const satisfies Arguments
