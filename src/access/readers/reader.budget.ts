/** A job is ended after this many times its time, however little processor time the process has had. */
const busyFactor = 4

/**
 * Calls `onSpent` when a job has had its time. The processor time of one thread is not known from outside while a statement
 * runs in it. That of the process is at least as long: if it is below the time, so is that of the thread, and the
 * machine has kept it waiting. Asking for it takes as long as a short statement, so it is counted after a quarter of the
 * time only, when most jobs have ended.
 *
 * @returns a function that ends the budget.
 */
export function startBudget(timeoutMs: number, onSpent: () => void): () => void {
  const lastMs = performance.now() + busyFactor * timeoutMs
  const uncountedMs = timeoutMs / 4
  let timer: NodeJS.Timeout
  const count = () => {
    const before = process.cpuUsage()
    const check = () => {
      const { user, system } = process.cpuUsage(before)
      const leftMs = timeoutMs - uncountedMs - (user + system) / 1000
      const leftInAllMs = lastMs - performance.now()
      if (leftMs < 1 || leftInAllMs < 1) onSpent()
      else timer = setTimeout(check, Math.min(leftMs, leftInAllMs))
    }
    timer = setTimeout(check, timeoutMs - uncountedMs)
  }
  timer = setTimeout(count, uncountedMs)
  return () => clearTimeout(timer)
}
