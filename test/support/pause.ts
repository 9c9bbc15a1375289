import { setTimeout as wait } from 'node:timers/promises'

/** Waits a moment before asking again: a loop without pauses takes a processor from the process that it waits for. */
export async function pause(): Promise<void> {
  await wait(10)
}
