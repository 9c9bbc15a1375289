/** What the primary had written at a moment. */
export interface Sample {
  /** Milliseconds on the clock of this process that only runs forward. */
  readonly atMs: number
  readonly revision: number
}

/** How far a replica was when it was last looked at. */
export interface Progress {
  /** When that was. */
  readonly lookedAtMs: number
  /** The last write that it had. */
  readonly revision: number
  /** It had all that the primary had at this moment; undefined where that is longer ago than anything remembered. */
  readonly completeAtMs: number | undefined
  /** What the primary had, oldest first: what the next look is compared with. */
  readonly samples: readonly Sample[]
}

/** What a request asks of a replica. */
export interface Need {
  readonly nowMs: number
  /** The last write that the client made. */
  readonly revision: number
  readonly maxLagMs: number
}

/** Knowledge that is older says little of a server that may have gone and come back meanwhile. */
const knownForMs = 1000

/**
 * What is known of a replica after a look at the primary and then at it. Lag is measured by what the primary had, and
 * when, on the one clock of this process: clocks of servers need not agree, and a replica that has lost its primary
 * does not seem up to date.
 */
export function progressAfter(
  before: readonly Sample[],
  primary: Sample,
  { revision, maxLagMs }: { readonly revision: number; readonly maxLagMs: number },
): Progress {
  const samples = [...before.filter(({ atMs }) => primary.atMs - atMs <= maxLagMs), primary]
  return {
    lookedAtMs: primary.atMs,
    revision,
    completeAtMs: samples.findLast((sample) => sample.revision <= revision)?.atMs,
    samples,
  }
}

/** Whether the replica has what the client wrote, and of others at least all that is older than the lag allowed. */
export function isGoodFor(progress: Progress | undefined, { nowMs, revision, maxLagMs }: Need): boolean {
  return (
    progress?.completeAtMs !== undefined &&
    nowMs - progress.lookedAtMs <= knownForMs &&
    nowMs - progress.completeAtMs <= maxLagMs &&
    progress.revision >= revision
  )
}

/** How far the replica was behind when it was looked at; undefined where nobody knows, or further than is remembered. */
export function lagMsOf(progress: Progress | undefined): number | undefined {
  return progress?.completeAtMs === undefined ? undefined : progress.lookedAtMs - progress.completeAtMs
}
