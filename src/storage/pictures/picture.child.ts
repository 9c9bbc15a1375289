import { writeFile } from 'node:fs/promises'
import type { PictureTask, WorkerMessage } from './picture.formats.ts'
import { makePicture } from './picture.making.ts'

// A terminal sends signals to all processes that it has started. They are meant for the service, which still finishes
// the work in flight.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** Without the service, nobody uses the picture. An orderly exit would wait for the decoder. */
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

// If memory runs out, the kernel should end this process and not the one that serves (proc(5)). Linux only.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
say('ready')

function say(said: WorkerMessage): void {
  // The service may already have disconnected.
  process.send?.(said, undefined, undefined, () => {})
}
