import { parentPort } from 'node:worker_threads'
import type { PictureTask } from './picture.formats.ts'
import { makePicture } from './picture.making.ts'

parentPort?.on('message', async (task: PictureTask) => {
  try {
    parentPort?.postMessage({ outcome: await makePicture(task) })
  } catch (error) {
    parentPort?.postMessage({ error })
  }
})
