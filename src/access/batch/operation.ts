import type { Method } from '../http/call.ts'

export const BATCH_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[]

export interface Operation {
  /** Its name within the batch. Later operations refer to it by this. */
  readonly ref: string | undefined
  readonly method: (typeof BATCH_METHODS)[number]
  /** The path below the namespace. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Header fields with its preconditions, by lower-case name. */
  readonly preconditions: Readonly<Record<string, string>>
}

export const maxOperations = 200
export const maxBatchBytes = 1024 * 1024
export const maxRefLetters = 64
export const maxPathLetters = 500

/** How deep in a body references are looked for. The parameters of all endpoints are less deep. */
const maxDepth = 8

/** Whether a value stands for the id of an earlier operation: `{"ref": "a"}`. */
function isReference(value: unknown): value is { readonly ref: string } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const names = Object.keys(value)
  return names.length === 1 && names[0] === 'ref' && typeof (value as { readonly ref: unknown }).ref === 'string'
}

/** Returns a value with each reference replaced by the result of `replace`. */
export function replaceReferences(value: unknown, replace: (ref: string) => unknown, depth = 0): unknown {
  if (isReference(value)) return replace(value.ref)
  if (value === null || typeof value !== 'object' || depth === maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, replace, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceReferences(item, replace, depth + 1)]),
  )
}

/** Returns a path with each `{name}` replaced by the result of `replace`. */
export function replacePathReferences(path: string, replace: (ref: string) => unknown): string {
  return path.replace(/\{([\w.-]+)\}/g, (_, ref: string) => String(replace(ref)))
}

export function referencesIn({ path, body }: Pick<Operation, 'path' | 'body'>): ReadonlySet<string> {
  const found = new Set<string>()
  replaceReferences(body, (ref) => void found.add(ref))
  replacePathReferences(path, (ref) => void found.add(ref))
  return found
}
