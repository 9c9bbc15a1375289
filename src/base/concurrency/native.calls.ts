// Node ends a thread wherever it is. A native module that is loading, or that builds its results, may then find an engine
// that refuses everything, and abort the whole process. A thread is therefore ended only outside of native calls.

/** The places of the shared memory. */
const isCalling = 0
const isEnding = 1

/** A thread is to end, so it calls native code no more. */
export class ThreadIsEnding extends Error {}

/** The native calls of a thread, as that thread sees them. */
export interface NativeCalls {
  /**
   * Makes a native call.
   *
   * @throws ThreadIsEnding
   */
  run<T>(call: () => T): T
  loaded(): void
}

/** The native calls of a thread, as the thread that ends it sees them. */
export interface NativeCallsElsewhere {
  readonly memory: SharedArrayBuffer
  /** Allows no further call, and resolves when none is in progress. */
  end(): Promise<void>
  /** Allows no further call, and blocks until none is in progress, or until this time has passed. */
  endNow(timeoutMs: number): void
}

/** Creates the memory that tells about the native calls of a new thread. Until it has loaded its modules, it counts as calling. */
export function watchNativeCalls(): NativeCallsElsewhere {
  const memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  const flags = new Int32Array(memory)
  Atomics.store(flags, isCalling, 1)
  const forbid = () => Atomics.store(flags, isEnding, 1)
  return {
    memory,
    end: async () => {
      forbid()
      while (Atomics.load(flags, isCalling) === 1) await Atomics.waitAsync(flags, isCalling, 1).value
    },
    endNow: (timeoutMs) => {
      forbid()
      Atomics.wait(flags, isCalling, 1, timeoutMs)
    },
  }
}

/** Returns the native calls of this thread. While its modules load, it may make none. */
export function nativeCallsOf(memory: SharedArrayBuffer): NativeCalls {
  const flags = new Int32Array(memory)
  // Native code may call functions that call it again.
  let depth = 0
  const allowEnd = () => {
    Atomics.store(flags, isCalling, 0)
    if (Atomics.load(flags, isEnding) === 1) Atomics.notify(flags, isCalling)
  }
  return {
    run: (call) => {
      depth += 1
      // This precedes the look at the other flag: of two threads that do so, at least one sees the other.
      if (depth === 1) Atomics.store(flags, isCalling, 1)
      try {
        if (depth === 1 && Atomics.load(flags, isEnding) === 1) throw new ThreadIsEnding('This thread is to end.')
        return call()
      } finally {
        depth -= 1
        if (depth === 0) allowEnd()
      }
    },
    loaded: allowEnd,
  }
}
