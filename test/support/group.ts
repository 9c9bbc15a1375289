import { after, describe } from 'node:test'

const root = new URL('../../', import.meta.url)

/** Runs files of tests in this process, one after the other. Their hooks apply to their own tests only. */
export function play(files: readonly string[]): void {
  const left = new Set(files)
  for (const file of files) {
    describe(file, async () => {
      after(() => left.delete(file))
      await import(new URL(file, root).href)
    })
  }
  // A filter of names may leave out all tests of a file.
  if (process.execArgv.some((argument) => /-pattern|-only/.test(argument))) return
  process.on('exit', () => {
    if (left.size === 0) return
    console.error(`The process ended before all tests of these files: ${[...left].join(', ')}`)
    process.exitCode = 1
  })
}
