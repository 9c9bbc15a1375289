/** Returns the current time in whole seconds since 1970, UTC. */
export const systemClock = (): number => Math.floor(Date.now() / 1000)
