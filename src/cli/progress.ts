export interface ProgressBar {
  readonly show: (done: number, total: number) => void
  readonly stop: () => void
}

/**
 * Creates a progress bar on a terminal. Returns undefined if the output is not a terminal.
 *
 * @param before The bar of the step before this one. It ends when this one is shown.
 */
export async function progressBar(what: string, before?: ProgressBar): Promise<ProgressBar | undefined> {
  if (!process.stderr.isTTY) return undefined
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({ format: `${what} {bar} {value} of {total}`, clearOnComplete: true })
  return {
    show: (done, total) => {
      before?.stop()
      if (!bar.isActive) bar.start(total, 0)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
