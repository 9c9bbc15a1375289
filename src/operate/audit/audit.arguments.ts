import { ACTIONS } from '../../storage/database/audit.ts'
import { type AuditQuery, type Cursor, KINDS } from './audit.ts'

const mostPerPage = 500
const defaultPerPage = 50

/** What is sent to read entries, by name. */
export const AUDIT_ARGUMENTS = ['kind', 'id', 'actor', 'action', 'from', 'to', 'cursor', 'per_page'] as const
export type AuditArgument = (typeof AUDIT_ARGUMENTS)[number]

/** The query as it was sent, or the name of what cannot be read. An id is one of a kind. */
export function readAuditQuery(
  sent: Readonly<Partial<Record<AuditArgument, string | undefined>>>,
): AuditQuery | { readonly refused: AuditArgument } {
  const query = {
    kind: KINDS.find((kind) => kind === sent.kind),
    itemId: sent.kind === undefined ? undefined : wholeNumber(sent.id),
    actor: sent.actor || undefined,
    action: ACTIONS.find((action) => action === sent.action),
    from: instant(sent.from),
    to: instant(sent.to),
    after: cursorFrom(sent.cursor),
    per_page: wholeNumber(sent.per_page),
  }
  const readAs = { id: 'itemId', cursor: 'after' } as const
  const refused = AUDIT_ARGUMENTS.find((name) => {
    const key = name === 'id' || name === 'cursor' ? readAs[name] : name
    return sent[name] !== undefined && query[key] === undefined
  })
  if (refused) return { refused }
  const { per_page = defaultPerPage, ...filters } = query
  return { ...filters, limit: Math.min(per_page || defaultPerPage, mostPerPage) }
}

/** What a client sends to go on behind this entry. */
export function cursorText({ at, id }: Cursor): string {
  return `${at}-${id}`
}

function cursorFrom(text = ''): Cursor | undefined {
  const [, at, id] = /^(\d{1,12})-(\d{1,15})$/.exec(text) ?? []
  return at && id ? { at: Number(at), id: Number(id) } : undefined
}

function wholeNumber(text = ''): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Seconds of a day, or of a moment with its offset (RFC 3339); a day begins at midnight UTC. */
function instant(text = ''): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
