import { writeFile } from 'node:fs/promises'
import type { PictureTask, Said } from './picture.formats.ts'
import { makePicture } from './picture.making.ts'

// Signals that a terminal sends to all that it has started are for the service, which still finishes what is in flight.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** Without the service nobody waits for the picture. An orderly end would wait for the decoder. */
const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
if (!process.connected) end()

process.on('message', async (task: PictureTask) => {
  try {
    say({ outcome: await makePicture(task) })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    say({ error: { message, code } })
  }
})

// Where memory runs out, the kernel is to end this process and not the one that serves (proc(5)). Linux only.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
say('ready')

function say(said: Said): void {
  // Nobody may be there any more.
  process.send?.(said, undefined, undefined, () => {})
}
