import type { FastifyRequest } from 'fastify'
import { fail, failParameter } from '../../base/problems.ts'

/** What a query of our own namespace has under this name; undefined where it is left out. */
export function textIn({ query }: Pick<FastifyRequest, 'query'>, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return value === undefined || typeof value === 'string' ? value : failParameter(name, 'fault.string')
}

/** A number above zero in a query. */
export function wholeNumberIn(request: Pick<FastifyRequest, 'query'>, name: string): number | undefined {
  const text = textIn(request, name)
  if (text === undefined) return undefined
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : failParameter(name, 'fault.whole-number')
}

/** @throws rest_invalid_param */
export function refuseParameter(name: string): never {
  return fail('rest_invalid_param', { faults: { [name]: { text: 'fault.invalid' } } })
}
