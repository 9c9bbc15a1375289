import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/database.ts'
import type { Tx } from '../tables.ts'
import { groupCommits } from './group.commit.ts'
import { longWriteMs } from './write.turns.ts'

const put = (tx: Tx, name: string) => tx.insertInto('settings').values({ name, value: '' }).execute()

async function givenDatabase(t: { after(work: () => Promise<void>): void }) {
  const statements: string[] = []
  const { storage, remove } = await openTestDatabase({}, { onQuery: (text) => statements.push(text) })
  t.after(remove)
  const names = async () =>
    (await storage.db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)
  return { storage, statements, names }
}

test('writes that wait together share a commit, and one that fails takes no other with it', async (t) => {
  const { storage, statements, names } = await givenDatabase(t)
  const numbers = Array.from({ length: 20 }, (_, number) => number)
  statements.length = 0

  const outcomes = await Promise.allSettled(
    numbers.map((number) =>
      storage.write(async (tx) => {
        await put(tx, `setting ${String(number).padStart(2, '0')}`)
        if (number % 5 === 0) throw new Error(`no ${number}`)
        return number
      }),
    ),
  )

  const kept = numbers.filter((number) => number % 5 !== 0)
  assert.deepEqual(
    await names(),
    kept.map((number) => `setting ${String(number).padStart(2, '0')}`),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    numbers.map((number) => (number % 5 === 0 ? `no ${number}` : number)),
  )
  const commits = statements.filter((text) => text === 'commit').length
  // How many writes join depends on the load of the machine: a commit waits only a moment for further writes.
  assert.ok(commits >= 1 && commits < numbers.length, `${commits} commits`)
})

test('a write sees what those before it in the same commit wrote, but not what they took back', async (t) => {
  const { storage } = await givenDatabase(t)
  const look = (tx: Tx) => tx.selectFrom('settings').select('name').execute()

  const [, , seen] = await Promise.allSettled([
    storage.write((tx) => put(tx, 'kept')),
    storage.write(async (tx) => {
      await put(tx, 'taken back')
      throw new Error('no')
    }),
    storage.write(look),
  ])

  assert.deepEqual(seen, { status: 'fulfilled', value: [{ name: 'kept' }] })
})

test('where a transaction fails as a whole, each of its writes gets one of its own', async (t) => {
  const { storage, names } = await givenDatabase(t)
  const sizes: number[] = []
  // Simulates a disk that cannot hold the commit of the write of “poison”.
  const { write } = groupCommits({
    // Long enough for all three, even on a busy machine.
    joinMs: 60_000,
    transaction: (work) =>
      storage.write(async (tx) => {
        await work(tx)
        const written = await tx.selectFrom('settings').select('name').execute()
        sizes.push(written.length)
        if (written.some(({ name }) => name === 'poison')) throw new Error('The disk is full.')
      }),
    beforeCommit: async () => {},
  })

  const outcomes = await Promise.allSettled(
    ['a', 'poison', 'b'].map((name) => write((tx) => put(tx, name), { client: 'one' })),
  )

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await names(), ['a', 'b'])
  assert.deepEqual(sizes, [3, 1, 2, 2])
})

test('a write that is asked for while others run is not forgotten', async (t) => {
  const { storage, names } = await givenDatabase(t)

  await Promise.all([
    storage.write((tx) => put(tx, 'first')).then(() => storage.write((tx) => put(tx, 'third'))),
    storage.write((tx) => put(tx, 'second')),
  ])

  assert.deepEqual(await names(), ['first', 'second', 'third'])
})

/** Groups writes on a storage. What they leave ends when `end` is called. */
async function givenLeaving(t: { after(work: () => Promise<void>): void }) {
  const { storage, names } = await givenDatabase(t)
  const steps: string[] = []
  const { write } = groupCommits<string>({
    transaction: (work) => storage.write(work),
    beforeCommit: async (_tx, notes) => {
      steps.push(`before the commit of ${notes.join(' and ')}`)
    },
  })
  const ends: PromiseWithResolvers<void>[] = []
  const leaving = (name: string) =>
    write(
      async (tx, leaveNote) => {
        steps.push(`write ${name}`)
        const end = Promise.withResolvers<void>()
        ends.push(end)
        leaveNote(
          name,
          end.promise.then(() => steps.push(`end of ${name}`)),
        )
        await put(tx, name)
      },
      { client: 'one' },
    )
  return { leaving, steps, ends, names }
}

const untilLong = { timeout: 10_000 }

test(
  'what the last write leaves ends while its commit is prepared, and what another leaves before the next',
  untilLong,
  async (t) => {
    const { leaving, steps, ends, names } = await givenLeaving(t)
    const until = async (step: string) => {
      while (!steps.includes(step)) await new Promise((resolve) => setImmediate(resolve))
    }

    const writing = Promise.all([leaving('a'), leaving('b')])
    await until('write a')
    ends[0]?.resolve()
    await until('before the commit of a and b')
    ends[1]?.resolve()
    await writing

    assert.deepEqual(steps, ['write a', 'end of a', 'write b', 'before the commit of a and b', 'end of b'])
    assert.deepEqual(await names(), ['a', 'b'])
  },
)

test(
  'where what a write leaves fails, the write fails with its error and nothing of it is kept',
  untilLong,
  async (t) => {
    const { leaving, steps, ends, names } = await givenLeaving(t)

    const writing = leaving('a')
    while (!steps.includes('before the commit of a')) await new Promise((resolve) => setImmediate(resolve))
    ends[0]?.reject(new Error('It broke.'))

    await assert.rejects(writing, /It broke/)
    assert.deepEqual(await names(), [])
  },
)

test('a long write shares its commit with none that comes later, and never again joins those of others', async (t) => {
  const { storage } = await givenDatabase(t)
  const commits: string[][] = [[]]
  const { write } = groupCommits({
    // Long enough for all, even on a busy machine.
    joinMs: 60_000,
    transaction: (work) => storage.write(work),
    beforeCommit: async () => void commits.push([]),
  })
  const writing = (client: string, name: string, work = async () => {}) =>
    write(
      async () => {
        commits.at(-1)?.push(name)
        await work()
      },
      { client },
    )
  const long = async () => {
    const until = performance.now() + longWriteMs + 1
    while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
  }

  await Promise.all([
    ...[writing('a', 'a1'), writing('b', 'b1', long), writing('c', 'c1')],
    ...[writing('b', 'b2', long), writing('b', 'b3'), writing('a', 'a2'), writing('b', 'b4')],
  ])

  assert.deepEqual(
    commits.filter((names) => names.length > 0),
    [['a1', 'b1'], ['c1', 'a2'], ['b2'], ['b3', 'b4']],
  )
})
