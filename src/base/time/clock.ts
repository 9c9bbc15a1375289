/** Whole seconds since 1970, UTC. */
export const systemClock = (): number => Math.floor(Date.now() / 1000)
