import { Problem } from '../../base/problems.ts'
import { html } from '../../base/text/html.ts'
import { ApiFailure } from '../api/desk.api.ts'
import { type DeskCall, type DeskPage, linkTo } from '../shell/desk.call.ts'

interface Said {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly retryAfter?: string | undefined
}

function problemPage(call: DeskCall, { title, text, ...others }: Said): DeskPage {
  return {
    ...{ kind: 'page', title, ...others },
    main: html`<div class="narrow">
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="${linkTo(call, '/admin/')}">${call.say('back-to-desk')}</a></p>
</div>`,
  }
}

export function notFoundPage(call: DeskCall): DeskPage {
  const { say } = call
  return problemPage(call, { status: 404, title: say('not-found'), text: say('not-found.text') })
}

export function notAllowedPage(call: DeskCall): DeskPage {
  const { say } = call
  return problemPage(call, { status: 403, title: say('not-allowed'), text: say('not-allowed.text') })
}

/** The answer to a form without the right token, from which nothing can be shown again. */
export function expiredPage(call: DeskCall): DeskPage {
  const { say } = call
  return problemPage(call, { status: 403, title: say('form-expired.title'), text: say('form-expired.text') })
}

export function tooLongPage(call: DeskCall, most: number): DeskPage {
  const { say } = call
  return problemPage(call, { status: 413, title: say('form-expired.title'), text: say('form-too-long', { most }) })
}

export function unreadablePage(call: DeskCall): DeskPage {
  const { say } = call
  return problemPage(call, { status: 400, title: say('form-expired.title'), text: say('form-unreadable') })
}

/** Returns the page of an error. Only a refusal of the interface is expected; every other error is reported. */
export function failurePage(call: DeskCall, error: unknown, report: (error: unknown) => void): DeskPage {
  const { say } = call
  if (error instanceof ApiFailure && error.status === 429) {
    const { retryAfter } = error
    return problemPage(call, { status: 429, title: say('too-many'), text: say('too-many.text'), retryAfter })
  }
  // The interface has reported its own errors.
  const isBusy = (error instanceof ApiFailure || error instanceof Problem) && error.status === 503
  const status = isBusy ? 503 : 500
  if (!isBusy && !(error instanceof ApiFailure)) report(error)
  return problemPage(call, { status, title: say('failed'), text: say('failed.text') })
}
