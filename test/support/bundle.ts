import { existsSync } from 'node:fs'
import { richBundle } from '../../src/desk/rich/rich.bundle.ts'

/** Bundles the visual editor in a checkout in which nothing has done so yet. The desk does not answer without it. */
export async function ensureBundle(): Promise<void> {
  if (existsSync(richBundle)) return
  const { bundleDesk } = await import('../../tools/bundle.desk.ts')
  await bundleDesk()
}
