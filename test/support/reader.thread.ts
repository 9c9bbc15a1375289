import { pathToFileURL } from 'node:url'

const { TEST_PROGRAM: program } = process.env

/** The module that reader threads run: of the bundled program if `test/run.ts` has made one, because it loads faster. */
export const readerThread = program
  ? new URL('../dist/cli/thread.js', pathToFileURL(program))
  : new URL('../../src/thread.ts', import.meta.url)
