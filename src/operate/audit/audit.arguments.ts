import { ACTIONS } from '../../storage/database/audit.ts'
import { AUDITED_KINDS, type AuditCursor, type AuditQuery } from './audit.ts'

const maxPerPage = 500
const defaultPerPage = 50

/** The names of the arguments of a query for entries. */
export const AUDIT_ARGUMENTS = ['kind', 'id', 'actor', 'action', 'from', 'to', 'cursor', 'per_page'] as const
export type AuditArgument = (typeof AUDIT_ARGUMENTS)[number]

/** Returns the query, or the name of an invalid argument. An id requires a kind. */
export function readAuditQuery(
  sent: Readonly<Partial<Record<AuditArgument, string | undefined>>>,
): AuditQuery | { readonly refused: AuditArgument } {
  const query = {
    kind: AUDITED_KINDS.find((kind) => kind === sent.kind),
    itemId: sent.kind === undefined ? undefined : parseWholeNumber(sent.id),
    actor: sent.actor || undefined,
    action: ACTIONS.find((action) => action === sent.action),
    from: parseInstant(sent.from),
    to: parseInstant(sent.to),
    after: parseCursor(sent.cursor),
    per_page: parseWholeNumber(sent.per_page),
  }
  const readAs = { id: 'itemId', cursor: 'after' } as const
  const refused = AUDIT_ARGUMENTS.find((name) => {
    const key = name === 'id' || name === 'cursor' ? readAs[name] : name
    return sent[name] !== undefined && query[key] === undefined
  })
  if (refused) return { refused }
  const { per_page = defaultPerPage, ...filters } = query
  return { ...filters, limit: Math.min(per_page || defaultPerPage, maxPerPage) }
}

/** Returns the cursor with which a client requests the entries after this one. */
export function formatCursor({ at, id }: AuditCursor): string {
  return `${at}-${id}`
}

function parseCursor(text = ''): AuditCursor | undefined {
  const [, at, id] = /^(\d{1,12})-(\d{1,15})$/.exec(text) ?? []
  return at && id ? { at: Number(at), id: Number(id) } : undefined
}

function parseWholeNumber(text = ''): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Parses a day, or a time with its offset (RFC 3339), to seconds. A day begins at midnight UTC. */
function parseInstant(text = ''): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
