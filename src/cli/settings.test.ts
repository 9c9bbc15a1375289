import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configFor } from './settings.ts'

test('what a file of settings says to others reaches the environment, which counts more, and our settings do not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-settings-'))
  const before = { ...process.env }
  t.after(async () => {
    process.env = before
    await rm(folder, { recursive: true })
  })
  await writeFile(join(folder, 'env'), 'OTHER_ONE=file\nOTHER_TWO=file\nPER_PAGE=7\n')
  Object.assign(process.env, { ENV_FILE: join(folder, 'env'), OTHER_TWO: 'environment' })

  const { perPage } = configFor({})

  const { OTHER_ONE, OTHER_TWO, PER_PAGE } = process.env
  assert.deepEqual([perPage, OTHER_ONE, OTHER_TWO, PER_PAGE], [7, 'file', 'environment', undefined])
})
