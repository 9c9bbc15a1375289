import { after, type TestContext } from 'node:test'

// What tests share. What all files of a process share is closed when the last of them has ended; a hook of the file that
// opened it would run at the end of that file.

type Work = () => unknown
type Ends = Pick<TestContext, 'after'>

let works: Work[] | undefined

/** Prepares a process in which several files run. Called outside of their suites. */
export function shareProcess(): void {
  const shared: Work[] = []
  works = shared
  after(async () => {
    for (const work of shared) await work()
  })
}

/**
 * Starts something once for all tests of a file, which only read it. It ends after the last of them. Called outside of tests.
 */
export function onceForFile<Value>(start: (t: Ends) => Promise<Value>): () => Promise<Value> {
  let started: Promise<Value> | undefined
  const works: Work[] = []
  after(async () => {
    for (const work of works) await work()
  })
  return () => {
    started ??= start({ after: (work) => void works.push(work as Work) })
    return started
  }
}

/** Does something after the last test of this process. */
export function atProcessEnd(work: Work): void {
  if (works) works.push(work)
  else after(async () => void (await work()))
}
