import { ACTIONS } from '../../storage/database/audit.ts'
import { AUDITED_KINDS, type AuditCursor, type AuditQuery } from './audit.ts'

const maxPerPage = 500
const defaultPerPage = 50

/** What is sent to read entries, by name. */
export const AUDIT_ARGUMENTS = ['kind', 'id', 'actor', 'action', 'from', 'to', 'cursor', 'per_page'] as const
export type AuditArgument = (typeof AUDIT_ARGUMENTS)[number]

/** The query as it was sent, or the name of what cannot be read. An id is one of a kind. */
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

/** What a client sends to go on behind this entry. */
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

/** Seconds of a day, or of a moment with its offset (RFC 3339); a day begins at midnight UTC. */
function parseInstant(text = ''): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
