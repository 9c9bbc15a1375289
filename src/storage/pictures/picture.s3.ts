import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import type { S3Location } from '../../base/config/media.ts'
import { isStoredName, type PictureStore } from './picture.store.ts'

const yearSeconds = 31_536_000

/**
 * Stores picture files in a bucket of an S3-compatible store. The S3 client finds the credentials in its usual places.
 */
export function s3Store({ bucket, prefix, region, endpoint, isPathStyle }: S3Location): PictureStore {
  const client = new S3Client({
    forcePathStyle: isPathStyle,
    // S3-compatible stores of other vendors do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
  })
  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  return {
    write: async (name, localFile, mimeType) => {
      const { size } = await stat(localFile)
      await client.send(
        new PutObjectCommand({
          ...at(name),
          Body: createReadStream(localFile),
          ContentLength: size,
          ContentType: mimeType,
          CacheControl: `public, max-age=${yearSeconds}, immutable`,
        }),
      )
    },
    find: async (name) => {
      const head = await client.send(new HeadObjectCommand(at(name))).catch(undefinedWhereMissing)
      if (head?.ContentLength === undefined) return undefined
      return {
        sizeBytes: head.ContentLength,
        read: async (range) => {
          const part = range ? { Range: `bytes=${range.first}-${range.last}` } : {}
          const { Body } = await client.send(new GetObjectCommand({ ...at(name), ...part }))
          return Body as Readable
        },
      }
    },
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(at(name)))
    },
    list: async function* () {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key = '', LastModified } of Contents) {
          const name = Key.slice(prefix.length)
          if (isStoredName(name)) yield { name, storedAt: Math.floor((LastModified?.getTime() ?? Date.now()) / 1000) }
        }
      }
    },
  }
}

function undefinedWhereMissing(error: { readonly $metadata?: { readonly httpStatusCode?: number } }): undefined {
  if (error.$metadata?.httpStatusCode === 404) return undefined
  throw error
}
