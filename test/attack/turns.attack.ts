import assert from 'node:assert/strict'
import { plainEvent } from '../support/given.ts'
import type { Attack, Target } from './target.ts'

const service = (path: string) => `//cal/service/v1${path}`
/** A batch in progress, its commit, and the starts of two commands, on a machine with other work. It was two minutes. */
const maxWaitSeconds = 15
const batches = 12

/** Sends batches of long series, all at once. */
function flood(target: Target): Promise<unknown> {
  const operations = Array.from({ length: 60 }, (_, number) => ({
    ...{ method: 'POST', path: '/events' },
    body: { ...plainEvent, title: `Series ${number}`, recurrence: { rrule: 'FREQ=DAILY;COUNT=700' } },
  }))
  const batch = async (number: number) => {
    const path = service(number % 3 === 0 ? '/batch?dry_run=true' : '/batch')
    const { status, text } = await target.send({ as: 'author', method: 'POST', path, json: { operations } })
    assert.ok([200, 207].includes(status), text)
  }
  return Promise.all(Array.from({ length: batches }, (_, number) => batch(number)))
}

async function timed(waits: number[], work: () => Promise<void>): Promise<void> {
  const from = performance.now()
  await work()
  waits.push((performance.now() - from) / 1000)
}

const longest = (waits: readonly number[]) => Math.max(...waits).toFixed(1)

/** A user who writes very much at once. Others waited two minutes, and no key could be revoked. */
export const attacks: readonly Attack[] = [
  {
    title: 'while one user sends batches of series, others write, and keys are revoked',
    play: async (target) => {
      const newKey = async () => {
        const json = { label: 'leaked' }
        const made = await target.send({ as: 'author', method: 'POST', path: service('/users/me/keys'), json })
        assert.equal(made.status, 201, made.text)
        return String(made.body.id)
      }
      const keys = await Promise.all(Array.from({ length: 20 }, newKey))
      let isOver = false
      const flooding = flood(target).finally(() => {
        isOver = true
      })
      const [writes, revocations, commands]: [number[], number[], number[]] = [[], [], []]
      const write = async () => {
        const { status, text } = await target.send({ as: 'editor', method: 'POST', path: '/events', json: plainEvent })
        assert.equal(status, 201, text)
      }
      const revoke = async () => {
        const path = service(`/users/me/keys/${keys.pop()}`)
        const { status, text } = await target.send({ as: 'author', method: 'DELETE', path })
        assert.equal(status, 200, text)
      }
      const revokeByCommand = async () => {
        const { exitCode, err } = await target.command(['key', 'revoke', String(keys.pop())])
        assert.equal(exitCode, 0, err)
      }
      const repeat = async (waits: number[], work: () => Promise<void>) => {
        for (let times = 0; times < 5 && !isOver; times += 1) await timed(waits, work)
      }
      await Promise.all([repeat(writes, write), repeat(revocations, revoke), repeat(commands, revokeByCommand)])
      await flooding

      const told = `write ${longest(writes)} s, revocation ${longest(revocations)} s, by command ${longest(commands)} s`
      assert.ok(Math.max(...writes, ...revocations, ...commands) < maxWaitSeconds, `the longest waits were: ${told}`)
      return `longest waits: ${told}`
    },
  },
]
