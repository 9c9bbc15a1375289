import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../problems.ts'
import type { PictureOutcome, PictureTask } from './picture.formats.ts'

/** Makes pictures outside of the thread that answers requests. */
export interface Workshop {
  /** @throws Problem service_unavailable, where too many wait. */
  make(task: PictureTask): Promise<PictureOutcome>
  /** How many wait to be made, or are being made. */
  waiting(): number
  close(): Promise<void>
}

interface Order {
  readonly task: PictureTask
  readonly resolve: (outcome: PictureOutcome) => void
  readonly reject: (error: unknown) => void
}

type Said = { readonly outcome: PictureOutcome } | { readonly error: unknown }

const mostWaiting = 64
const retryAfterSeconds = 10
const mostMemoryMegabytes = 512
/** What is published is compiled, and so is the worker then. */
const workerFile = new URL(`picture.worker${extname(import.meta.filename)}`, import.meta.url)

/** A workshop with one worker, which is there only once the first picture comes, and again after it broke down. */
export function createWorkshop(): Workshop {
  const waiting: Order[] = []
  let worker: Worker | undefined
  let current: Order | undefined

  const next = () => {
    current = waiting.shift()
    if (!current) return worker?.unref()
    worker ??= hire()
    worker.ref()
    worker.postMessage(current.task)
  }
  const settle = (said: Said) => {
    const order = current
    current = undefined
    if ('outcome' in said) order?.resolve(said.outcome)
    else order?.reject(said.error)
    next()
  }
  const hire = () => {
    const hired = new Worker(workerFile, {
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMegabytes },
    })
    hired.on('message', settle)
    // Whatever ends it, even memory that it may not have: the picture it had is at fault, and no other one.
    hired.on('error', (error) => {
      worker = undefined
      settle({ error })
    })
    return hired
  }

  return {
    make: (task) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= mostWaiting) {
          reject(new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } }))
          return
        }
        waiting.push({ task, resolve, reject })
        if (!current) next()
      }),
    waiting: () => waiting.length + (current ? 1 : 0),
    close: async () => {
      await worker?.terminate()
    },
  }
}
