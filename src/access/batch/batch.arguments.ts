import type { MessageKey } from '../../base/languages/catalogue.ts'
import { flagArgument } from '../http/arguments/argument.kinds.ts'
import { accepted, refused } from '../http/arguments/argument.rules.ts'
import { lengthSchema, wordSchema } from '../http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments, ReadResult } from '../http/arguments/argument.ts'
import {
  BATCH_METHODS,
  maxOperations,
  maxPathLetters,
  maxRefLetters,
  type Operation,
  referencesIn,
} from './operation.ts'

const members = ['ref', 'method', 'path', 'body', 'if_match', 'if_none_match']
/** Below the namespace, without a query: parameters are in the body. */
const pathPattern = /^\/[^?#\s]*$/
const refPattern = /^[\w.-]+$/

const operationsRule: ArgumentRule<readonly Operation[]> = (raw) => {
  if (!Array.isArray(raw) || raw.length === 0) return refused('fault.batch.operations')
  if (raw.length > maxOperations) return refused('fault.too-many', { most: String(maxOperations) })
  const operations: Operation[] = []
  const refs = new Set<string>()
  for (const [index, item] of raw.entries()) {
    const fault = (text: MessageKey, values = {}) => refused(text, { place: String(index + 1), ...values })
    const read = operationOf(item, fault)
    if ('fault' in read) return read
    const { ref } = read.value
    const unknown = [...referencesIn(read.value)].find((name) => !refs.has(name))
    if (unknown !== undefined) return fault('fault.batch.reference', { ref: unknown.slice(0, maxRefLetters) })
    if (ref !== undefined && refs.has(ref)) return fault('fault.batch.ref-twice', { ref })
    if (ref !== undefined) refs.add(ref)
    operations.push(read.value)
  }
  return accepted(operations)
}

type Fault = (text: MessageKey, values?: Readonly<Record<string, string>>) => ReadResult<never>

function operationOf(item: unknown, fault: Fault): ReadResult<Operation> {
  if (!isObject(item)) return fault('fault.batch.operation')
  const other = Object.keys(item).find((name) => !members.includes(name))
  // A misspelled `if_match` would mean a write without its condition.
  if (other !== undefined)
    return fault('fault.batch.member', { member: other.slice(0, maxRefLetters), allowed: members.join(', ') })
  const { ref, path, body = {} } = item
  const method = BATCH_METHODS.find((known) => known === item.method)
  if (!method) return fault('fault.batch.method', { allowed: BATCH_METHODS.join(', ') })
  if (typeof path !== 'string' || path.length > maxPathLetters || !pathPattern.test(path))
    return fault('fault.batch.path')
  if (!isObject(body)) return fault('fault.batch.body')
  if (ref !== undefined && (typeof ref !== 'string' || ref.length > maxRefLetters || !refPattern.test(ref))) {
    return fault('fault.batch.ref')
  }
  const preconditions: Record<string, string> = {}
  for (const [member, header] of [
    ['if_match', 'if-match'],
    ['if_none_match', 'if-none-match'],
  ] as const) {
    const value = item[member]
    if (value === undefined) continue
    if (typeof value !== 'string' && typeof value !== 'number') return fault('fault.batch.condition', { member })
    preconditions[header] = String(value)
  }
  return accepted({ ref, method, path, body, preconditions })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export const batchArguments = {
  operations: {
    read: operationsRule,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: maxOperations,
      items: {
        type: 'object',
        required: ['method', 'path'],
        additionalProperties: false,
        properties: {
          ref: { ...lengthSchema(1, maxRefLetters), description: 'batch.ref' },
          method: { ...wordSchema(BATCH_METHODS), description: 'batch.method' },
          path: { ...lengthSchema(1, maxPathLetters), description: 'batch.path', examples: ['/events'] },
          body: { type: 'object', description: 'batch.body' },
          if_match: { anyOf: [{ type: 'string' }, { type: 'integer' }], description: 'batch.if_match' },
          if_none_match: { type: 'string', description: 'batch.if_none_match' },
        },
      },
    },
    description: 'batch.operations',
    isRequired: true,
  },
  atomic: flagArgument('atomic', 'batch.atomic'),
} as const satisfies Arguments
