import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBackupKey } from './backup.key.ts'
import { verifyBackup } from './backup.verify.ts'

test('a file that is not a backup, or that cannot be decrypted, is closed', async () => {
  const key = parseBackupKey('a passphrase of many words')
  const texts = ['# Not a backup, but a text of some length', `age-encryption.org/v1\n-> X25519 none\n`]
  for (const [text, given] of texts.flatMap((one) => [[one, undefined] as const, [one, key] as const])) {
    let isClosed = false
    async function* file() {
      try {
        for (let count = 0; count < 9; count += 1) yield Buffer.from(text)
      } finally {
        isClosed = true
      }
    }
    await assert.rejects(verifyBackup(file(), given, 'file'))

    assert.ok(isClosed, text)
  }
})
