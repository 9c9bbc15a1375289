/** The revision of the primary at one moment. */
export interface PrimarySample {
  /** Milliseconds on the monotonic clock of this process. */
  readonly atMs: number
  readonly revision: number
}

/** The progress of a replica at its last check. */
export interface ReplicaProgress {
  /** Time of that check. */
  readonly lookedAtMs: number
  /** The last write that the replica had. */
  readonly revision: number
  /**
   * The replica had everything that the primary had at this moment. Undefined if that moment is older than all samples.
   */
  readonly completeAtMs: number | undefined
  /** Revisions of the primary, oldest first. The next check compares the replica with them. */
  readonly samples: readonly PrimarySample[]
}

export interface ReplicaRequirements {
  readonly nowMs: number
  /** The last write that the client made. */
  readonly revision: number
  readonly maxLagMs: number
}

/** An older check says little about a server that may have restarted in the meantime. */
const progressValidMs = 1000

/**
 * Returns the progress of a replica after a check of the primary and then of the replica. Lag is measured by the
 * revisions of the primary and the times when this process, with its own clock, read them. Clocks of servers therefore
 * need not agree, and a replica that has lost its primary does not seem up to date.
 */
export function updateProgress(
  before: readonly PrimarySample[],
  primary: { readonly atMs: number; readonly revision: number | undefined },
  { revision, maxLagMs }: { readonly revision: number; readonly maxLagMs: number },
): ReplicaProgress {
  const { atMs: lookedAtMs, revision: ofPrimary } = primary
  const samples =
    ofPrimary === undefined
      ? before
      : [...before.filter(({ atMs }) => lookedAtMs - atMs <= maxLagMs), { atMs: lookedAtMs, revision: ofPrimary }]
  return {
    lookedAtMs,
    revision,
    completeAtMs: samples.findLast((sample) => sample.revision <= revision)?.atMs,
    samples,
  }
}

/** Whether the replica has all writes of the client, and all writes of others that are older than the allowed lag. */
export function canServe(
  progress: ReplicaProgress | undefined,
  { nowMs, revision, maxLagMs }: ReplicaRequirements,
): boolean {
  return (
    progress?.completeAtMs !== undefined &&
    nowMs - progress.lookedAtMs <= progressValidMs &&
    nowMs - progress.completeAtMs <= maxLagMs &&
    progress.revision >= revision
  )
}

/** The lag of the replica at its last check. Undefined if it is unknown, or greater than the samples cover. */
export function lagMsOf(progress: ReplicaProgress | undefined): number | undefined {
  return progress?.completeAtMs === undefined ? undefined : progress.lookedAtMs - progress.completeAtMs
}
