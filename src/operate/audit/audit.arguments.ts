import { pageSizeArgument, wordArgument } from '../../access/http/arguments/argument.kinds.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, integerSchema, type JsonSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import { ACTIONS } from '../../storage/database/audit/audit.ts'
import { AUDITED_KINDS, type AuditCursor, type AuditQuery } from './audit.ts'

const maxPerPage = 500
const defaultPerPage = 50

/** Parses the text of each argument. Returns undefined for an invalid text. */
const parsers = {
  kind: (text: string) => AUDITED_KINDS.find((kind) => kind === text),
  id: parseWholeNumber,
  actor: (text: string) => text || undefined,
  action: (text: string) => ACTIONS.find((action) => action === text),
  from: parseInstant,
  to: parseInstant,
  cursor: parseCursor,
  per_page: parseWholeNumber,
} as const

export type AuditArgument = keyof typeof parsers

const parsed =
  <T>(parse: (text: string) => T | undefined): ArgumentRule<T> =>
  (raw) => {
    const value = typeof raw === 'string' ? parse(raw) : undefined
    return value === undefined ? refused('fault.invalid') : accepted(value)
  }

const instantSchema: JsonSchema = { type: 'string', examples: ['2030-05-01', '2030-05-01T19:00:00Z'] }

export const auditArguments = {
  kind: { ...wordArgument(AUDITED_KINDS, 'audit.kind'), read: parsed(parsers.kind) },
  id: { read: parsed(parsers.id), schema: integerSchema, description: 'audit.id', type: 'integer' },
  actor: { read: parsed(parsers.actor), schema: filledTextSchema, description: 'audit.actor', type: 'string' },
  action: { ...wordArgument(ACTIONS, 'audit.action'), read: parsed(parsers.action) },
  from: { read: parsed(parsers.from), schema: instantSchema, description: 'audit.from', type: 'string' },
  to: { read: parsed(parsers.to), schema: instantSchema, description: 'audit.to', type: 'string' },
  cursor: {
    read: parsed(parsers.cursor),
    schema: { type: 'string', pattern: '^\\d{1,12}-\\d{1,15}$' },
    description: 'audit.cursor',
    type: 'string',
  },
  per_page: {
    ...pageSizeArgument(maxPerPage),
    read: parsed(parsers.per_page),
    schema: { type: 'integer', minimum: 0 },
    default: defaultPerPage,
  },
} as const satisfies Arguments

/** Returns the query that arguments of the command line describe, or the name of an invalid argument. */
export function readAuditQuery(
  sent: Readonly<Partial<Record<AuditArgument, string | undefined>>>,
): AuditQuery | { readonly refused: AuditArgument } {
  const values: Partial<Record<AuditArgument, unknown>> = {}
  for (const [name, parse] of Object.entries(parsers) as [AuditArgument, (text: string) => unknown][]) {
    const text = sent[name]
    if (text === undefined) continue
    values[name] = parse(text)
    if (values[name] === undefined) return { refused: name }
  }
  return auditQueryOf(values as ArgumentValues<typeof auditArguments>)
}

/** Returns the query, or the name of an argument that requires another one: an id requires a kind. */
export function auditQueryOf(
  values: Partial<ArgumentValues<typeof auditArguments>>,
): AuditQuery | { readonly refused: AuditArgument } {
  const { id: itemId, cursor: after, per_page = defaultPerPage, ...filters } = values
  if (itemId !== undefined && filters.kind === undefined) return { refused: 'id' }
  return { ...filters, itemId, after, limit: Math.min(per_page || defaultPerPage, maxPerPage) }
}

/** Returns the cursor with which a client requests the entries after this one. */
export function formatCursor({ at, id }: AuditCursor): string {
  return `${at}-${id}`
}

function parseCursor(text: string): AuditCursor | undefined {
  const [, at, id] = /^(\d{1,12})-(\d{1,15})$/.exec(text) ?? []
  return at && id ? { at: Number(at), id: Number(id) } : undefined
}

function parseWholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Parses a day, or a time with its offset (RFC 3339), to seconds. A day begins at midnight UTC. */
function parseInstant(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
