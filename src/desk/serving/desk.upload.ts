import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { maxPartHeaders } from '../../access/http/arguments/parameters.ts'
import { countedBody } from '../../access/http/received.body.ts'
import type { Limits } from '../../base/limits/limits.ts'
import { Problem } from '../../base/problems.ts'
import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { type DeskForm, formOfPairs, maxFields } from '../shell/desk.call.ts'

const unavailable = 503

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
  /** The client for which the body is counted, like `clientNetworkOf`. */
  readonly client: string
  readonly limits: Pick<Limits, 'bodies' | 'uploads'>
}

/**
 * Reads a form with a picture (RFC 7578). The fields are kept in memory, and the picture in the folder.
 *
 * @throws FormTooLong, FormUnreadable, service_unavailable
 */
export async function readFormWithFile(sent: FormWithFile): Promise<DeskForm> {
  const { body, contentType, maxBytes, folder, client, limits } = sent
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
    isInFile = true
    stream.once('end', () => {
      isInFile = false
    })
    const localFile = join(folder, 'received')
    written = pipeline(stream, createWriteStream(localFile)).then(() => {
      file = { localFile, name: sentName, isTooLong: stream.truncated }
    })
    written.catch(() => {})
  })
  // What is not written to the file is kept in memory.
  const inMemory = limits.bodies.begin(client, (problem) => limit.destroy(problem))
  let [received, isInFile] = [0, false]
  const limit = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      received += chunk.length
      if (!isInFile) inMemory.add(chunk.length)
      if (received > 2 * maxBytes + (folder ? maxUploadBytes : 0)) done(new FormTooLong())
      else done(null, chunk)
    },
  })
  try {
    await pipeline(folder ? countedBody(body, { client, received: limits.uploads }) : body, limit, parser)
    await written
  } catch (error) {
    if (error instanceof FormTooLong || (error instanceof Problem && error.status === unavailable)) throw error
    throw new FormUnreadable('', { cause: error })
  } finally {
    inMemory.end()
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
