import { resolve } from 'node:path'

/** A bucket of an S3-compatible store. */
export interface S3Location {
  readonly kind: 's3'
  readonly bucket: string
  /** The prefix of file names in the bucket: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string | undefined
  readonly endpoint: string | undefined
  /** Whether the bucket name is in the path instead of the host name. */
  readonly isPathStyle: boolean
}

/** The location of the picture files. */
export type MediaLocation = { readonly kind: 'folder'; readonly folder: string } | S3Location

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=…&path_style=1` or the path of a folder. Returns undefined if the text is
 * empty.
 *
 * @throws Error saying what is expected.
 */
export function parseMediaUrl(text: string): MediaLocation | undefined {
  if (text === '') return undefined
  if (!/^[a-z0-9]+:\/\//i.test(text)) return { kind: 'folder', folder: resolve(text) }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const endpoint = url?.searchParams.get('endpoint') ?? undefined
  const isEndpoint = endpoint === undefined || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))
  if (url?.protocol !== 's3:' || url.hostname === '' || url.password !== '' || !isEndpoint) {
    throw new Error('the path of a folder, or s3://bucket/prefix?region=…&endpoint=…&path_style=1')
  }
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    region: url.searchParams.get('region') ?? undefined,
    endpoint,
    isPathStyle: url.searchParams.get('path_style') === '1',
  }
}

/** Returns such an address as it may be printed. It should not contain credentials, but may. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/?#]*@/g, '//…@')
}
