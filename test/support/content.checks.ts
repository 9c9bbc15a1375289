import { contentChecks } from '../../src/operate/checks/check.service.ts'
import type { TestApp } from './app.ts'

/** Returns the places at which the stored content breaks a rule, with the name of the check. */
export async function violationsIn({ deps }: TestApp): Promise<readonly string[]> {
  const { db, dialect } = deps.storage
  const broken: string[] = []
  for (const { name, find } of contentChecks) {
    for await (const place of find({ db, dialect, onProgress: () => {} })) broken.push(`${name}: ${place}`)
  }
  return broken
}
