/** A progress bar on the terminal. */
export interface ProgressBar {
  readonly show: (done: number, total: number) => void
  readonly stop: () => void
}

/** Creates a progress bar on a terminal. Returns one that does nothing if the output is not a terminal. */
export async function progressBar(what: string): Promise<ProgressBar | undefined> {
  if (!process.stderr.isTTY) return undefined
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({ format: `${what} {bar} {value} of {total}`, clearOnComplete: true })
  return {
    show: (done, total) => {
      if (!bar.isActive) bar.start(total, 0)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
