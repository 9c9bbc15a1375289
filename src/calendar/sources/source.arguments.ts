import { accepted, refused, urlOf } from '../../access/http/arguments/argument.rules.ts'
import { lengthSchema, websiteSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import type { SentName } from './source.service.ts'
import { isExternalId, isSourceName, maxExternalId } from './source.ts'

const sourceSchema = { type: 'string', pattern: '^[a-z0-9-]{1,64}$', examples: ['osheaga'] } as const

const sourceRule: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' && isSourceName(raw) ? accepted(raw) : refused('fault.source')

const externalIdRule: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' && isExternalId(raw)
    ? accepted(raw)
    : refused('fault.external-id', { most: String(maxExternalId) })

/** The address of a record at its source; `''` or null for none. */
const sourceUrlRule: ArgumentRule<string> = (raw) => {
  if (raw === null || raw === '') return accepted('')
  const url = typeof raw === 'string' ? urlOf(raw, ['http:', 'https:']) : undefined
  return url === undefined ? refused('fault.url', { schemes: 'http, https' }) : accepted(url)
}

export const sourceArgument = { read: sourceRule, schema: sourceSchema, description: 'source', type: 'string' } as const
export const externalIdArgument = {
  read: externalIdRule,
  schema: { ...lengthSchema(1, maxExternalId), examples: ['881'] },
  description: 'external_id',
  type: 'string',
} as const
export const sourceUrlArgument = {
  read: sourceUrlRule,
  schema: { ...websiteSchema, type: ['string', 'null'] },
  description: 'source_url',
  type: 'string',
} as const

/** What a new record may say about the source that names it. */
export const sourceNameArguments = {
  source: { ...sourceArgument, isExtension: true },
  external_id: { ...externalIdArgument, isExtension: true },
  source_url: { ...sourceUrlArgument, isExtension: true },
} as const satisfies Arguments

/** Returns the name that a request gives its new record. */
export function sentName(values: ArgumentValues<typeof sourceNameArguments>): SentName {
  return { name: values.source, externalId: values.external_id, url: values.source_url }
}
