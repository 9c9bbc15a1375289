import assert from 'node:assert/strict'
import { disguisedFiles } from '../support/disguised.pictures.ts'
import { form, picture, slowPicture } from '../support/pictures.ts'
import { type Attack, type AttackAnswer, startTarget, type Target } from './target.ts'

const path = '//cal/service/v1/media'
/** Milliseconds within which an unusable file is refused, also on a busy machine. */
const promptMs = 10_000

function upload({ send }: Target, bytes: Buffer): Promise<AttackAnswer> {
  return send({ as: 'author', method: 'POST', path, ...form(bytes) })
}

/** @throws if the work takes too long */
async function prompt<T>(title: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${title} kept the service busy`)), promptMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export const attacks: readonly Attack[] = [
  {
    title: 'disguised pictures, and small files of many pixels, are refused at once, and others are made',
    play: async (target) => {
      for (const { title, bytes } of await disguisedFiles()) {
        const { status, text } = await prompt(title, upload(target, bytes))
        assert.equal(status, 422, `${title}: ${text}`)
      }
      assert.equal((await upload(target, await picture(40, 30))).status, 201)
    },
  },
  {
    title: 'a picture that takes long is ended at the deadline, and keeps neither others nor the end of the service',
    play: async () => {
      const ends: (() => unknown)[] = []
      try {
        const target = await startTarget(
          { after: (end) => void ends.push(end as () => unknown) },
          { PICTURE_TIMEOUT: '1' },
        )
        const [slow, quick] = await Promise.all([
          upload(target, await slowPicture()),
          upload(target, await picture(40, 30)),
        ])
        assert.deepEqual([slow.status, quick.status], [422, 201])
      } finally {
        for (const end of ends.reverse()) await end()
      }
    },
  },
  {
    title: 'an upload under way when its key is revoked is not kept',
    play: async ({ send, origin }) => {
      const as = 'administrator'
      const users = '//cal/service/v1/users'
      const made = await send({ as, method: 'POST', path: users, json: { name: 'leaving', role: 'administrator' } })
      const authorization = `Basic ${btoa(`leaving:${made.body.application_password}`)}`
      const [key] = (await send({ as, path: `${users}/${made.body.id}/keys` })).body
      const begin = Promise.withResolvers<void>()
      const { payload, headers } = form(await picture(40, 30), 'leaving.jpg')
      const body = ReadableStream.from(
        (async function* () {
          yield payload.subarray(0, 200)
          await begin.promise
          yield payload.subarray(200)
        })(),
      )
      const sent = fetch(`${origin}${path.slice(1)}`, {
        ...{ method: 'POST', headers: { ...headers, authorization }, body },
        // Node requires this to send a stream.
        ...({ duplex: 'half' } as object),
      })
      // A new last use shows that the caller is identified. One more request is enough of a wait.
      while (!(await send({ as, path: `${users}/${made.body.id}/keys` })).body[0]?.last_used_at);
      await send({ as, method: 'DELETE', path: `${users}/${made.body.id}/keys/${key.id}` })
      begin.resolve()
      assert.equal((await sent).status, 401)
      const { body: pictures } = await send({ as, path })
      assert.ok(!pictures.some(({ title }: { readonly title: string }) => title === 'leaving'))
    },
  },
]
