import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { maxPartHeaders } from '../../access/http/arguments/parameters.ts'
import { fail, Problem } from '../../base/problems.ts'
import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { maxAltTextCharacters } from './alt.text.ts'

/** A request body with the headers that describe it. */
export interface UploadBody {
  readonly body: Readable
  readonly contentType: string
  readonly contentDisposition: string
}

export interface ReceivedFile {
  readonly localFile: string
  readonly fileName: string
  readonly title: string | undefined
  /** The values of the other form fields, by name. */
  readonly fields: Readonly<Record<string, string>>
}

/** The maximum size of a title or an alternative text. A character has at most four bytes in UTF-8. */
const maxFieldBytes = 4 * maxAltTextCharacters + 1
const maxTitleCharacters = 1000
const maxFields = 20

/**
 * Streams the file of a request into a folder. The file is the field `file` of a multipart form, or the body itself
 * with its name in a `Content-Disposition` header.
 *
 * @throws media-no-file, rest_request_too_large
 */
export async function receiveFile(
  { body, contentType, contentDisposition }: UploadBody,
  folder: string,
): Promise<ReceivedFile> {
  const localFile = join(folder, 'received')
  if (/^multipart\/form-data/i.test(contentType)) return receiveMultipart(body, contentType, localFile)
  const name = /filename\*?=(?:UTF-8'[^']*')?"?([^";]+)"?/i.exec(contentDisposition)?.[1]
  if (name === undefined) return fail('media-no-file')
  await pipeline(body, sizeLimiter(), createWriteStream(localFile))
  return { localFile, fileName: decodeFileName(name.trim()), title: undefined, fields: {} }
}

/** Returns the SHA-256 of a file. */
export async function digestOfFile(localFile: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(localFile), digest)
  return digest.digest('base64url')
}

function receiveMultipart(body: Readable, contentType: string, localFile: string): Promise<ReceivedFile> {
  return new Promise((resolve, reject) => {
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          ...{ files: 1, fields: maxFields, fieldSize: maxFieldBytes, fileSize: maxUploadBytes + 1 },
          ...{ parts: maxFields + 1, headerPairs: maxPartHeaders },
        },
      })
    } catch {
      return reject(new Problem('media-no-file')) // Without a boundary the body cannot be parsed.
    }
    let fileName: string | undefined
    let title: string | undefined
    const fields: Record<string, string> = {}
    let written: Promise<void> = Promise.resolve()
    parser.on('field', (name: string, value: string) => {
      if (name === 'title' && value.trim() !== '') title = [...value.trim()].slice(0, maxTitleCharacters).join('')
      if (name !== 'title') fields[name] = value
    })
    parser.on('file', (name, stream, sentName) => {
      if (name !== 'file') {
        stream.on('error', () => {})
        return void stream.resume()
      }
      fileName = sentName
      written = pipeline(stream, sizeLimiter(), createWriteStream(localFile))
      written.catch((error) => {
        body.unpipe(parser)
        reject(error instanceof Problem ? error : new Problem('media-no-file'))
      })
    })
    parser.on('partsLimit', () => {
      body.unpipe(parser)
      reject(new Problem('rest_request_too_large'))
    })
    parser.on('error', () => reject(new Problem('media-no-file')))
    parser.on('finish', () => {
      written.then(
        () =>
          fileName === undefined
            ? reject(new Problem('media-no-file'))
            : resolve({ localFile, fileName, title, fields }),
        () => {}, // Rejected above.
      )
    })
    // An interrupted body does not end the parser.
    body.on('error', (error) => reject(error instanceof Problem ? error : new Problem('media-no-file')))
    body.on('close', () => body.readableEnded || reject(new Problem('media-no-file')))
    body.pipe(parser)
  })
}

/** Returns a stream that fails if the upload exceeds the size limit. */
function sizeLimiter(): Transform {
  let size = 0
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length
      if (size > maxUploadBytes) done(new Problem('rest_request_too_large'))
      else done(null, chunk)
    },
  })
}

function decodeFileName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
