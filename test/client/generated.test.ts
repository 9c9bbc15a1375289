import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientTypes, typesFile } from '../../tools/client-types.document.ts'

test('the types of the client are those of the OpenAPI document', async () => {
  assert.equal(readFileSync(typesFile, 'utf8'), await clientTypes(), 'npm run client-types writes them anew')
})
