import type { WireRequest } from './wire.ts'

const mostTries = 400

/**
 * The least of a request that still fails: headers, credentials, and pieces of its body and its target are left out for
 * as long as it does.
 */
export async function minimise(
  request: WireRequest,
  fails: (request: WireRequest) => Promise<boolean>,
): Promise<WireRequest> {
  let least = request
  let tries = 0
  const attempt = async (candidate: WireRequest): Promise<boolean> => {
    if (tries++ >= mostTries || !(await fails(candidate))) return false
    least = candidate
    return true
  }
  for (const header of request.headers) {
    await attempt({ ...least, headers: least.headers.filter((other) => other !== header) })
  }
  const { as: _nobody, ...asVisitor } = least
  await attempt(asVisitor)
  for (const part of ['body', 'target'] as const) {
    await shorten(
      () => least[part],
      (text) => attempt({ ...least, [part]: text }),
    )
  }
  return least
}

/** Leaves out pieces of a text: halves first, then ever smaller ones. */
async function shorten(text: () => string, attempt: (shorter: string) => Promise<boolean>): Promise<void> {
  for (let size = Math.ceil(text().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text().length; ) {
      const whole = text()
      if (!(await attempt(whole.slice(0, at) + whole.slice(at + size)))) at += size
    }
  }
}
