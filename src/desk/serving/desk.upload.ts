import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { maxPartHeaders } from '../../access/http/parameters.ts'
import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { type DeskForm, formOfPairs, maxFields } from '../shell/desk.call.ts'

/** A form that is longer than the desk takes. */
export class FormTooLong extends Error {}
/** A form that cannot be parsed, or ends early. */
export class FormUnreadable extends Error {}

interface FormWithFile {
  readonly body: Readable
  readonly contentType: string
  /** The most bytes of all fields together. */
  readonly maxBytes: number
  /** The folder for the file; undefined to ignore files. */
  readonly folder: string | undefined
}

/**
 * Reads a form with a picture (RFC 7578). The fields are kept in memory, and the picture in the folder.
 *
 * @throws FormTooLong, FormUnreadable
 */
export async function readFormWithFile({ body, contentType, maxBytes, folder }: FormWithFile): Promise<DeskForm> {
  const pairs: (readonly [name: string, value: string])[] = []
  const parser = parserOf(contentType, maxBytes)
  // The parser would continue, and leave out what it finds.
  parser.on('partsLimit', () => parser.destroy(new FormTooLong()))
  let size = 0
  let file: DeskForm['file']
  let written: Promise<void> = Promise.resolve()
  parser.on('field', (name, value) => {
    size += Buffer.byteLength(name) + Buffer.byteLength(value)
    // Browsers send every line break as CR LF.
    if (size <= maxBytes) pairs.push([name, value.replaceAll('\0', '').replaceAll('\r\n', '\n')])
  })
  parser.on('file', (_name, stream, sentName) => {
    // A form without a chosen file sends an empty one without a name.
    if (!folder || !sentName) {
      stream.on('error', () => {})
      return void stream.resume()
    }
    const localFile = join(folder, 'received')
    written = pipeline(stream, createWriteStream(localFile)).then(() => {
      file = { localFile, name: sentName, isTooLong: stream.truncated }
    })
    written.catch(() => {})
  })
  let sent = 0
  const limit = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      sent += chunk.length
      if (sent > 2 * maxBytes + (folder ? maxUploadBytes : 0)) done(new FormTooLong())
      else done(null, chunk)
    },
  })
  try {
    await pipeline(body, limit, parser)
    await written
  } catch (error) {
    throw error instanceof FormTooLong ? error : new FormUnreadable('', { cause: error })
  }
  if (size > maxBytes) throw new FormTooLong()
  return { ...formOfPairs(pairs), file }
}

function parserOf(contentType: string, maxBytes: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        ...{ files: 1, fields: maxFields, fieldSize: maxBytes, fileSize: maxUploadBytes + 1 },
        ...{ parts: maxFields + 1, headerPairs: maxPartHeaders },
      },
    })
  } catch (error) {
    // Without a boundary nothing can be read.
    throw new FormUnreadable('', { cause: error })
  }
}
