import { mayManage } from '../../access/auth/policy.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { actorOf, linkTo, type OwnCall } from '../shell/desk.call.ts'

const tabs = ['venues', 'organizers', 'categories', 'tags'] as const
const taxonomies = { categories: 'category', tags: 'tag' } as const

export type RecordTab = (typeof tabs)[number]

/** Returns the links between the lists of what events refer to, for those that the user may see. */
export function recordTabs(call: OwnCall, current: RecordTab): Html {
  const { say, me } = call
  const own = tabs.filter(
    (one) => !(one in taxonomies) || mayManage(actorOf(me), taxonomies[one as keyof typeof taxonomies]),
  )
  return html`<nav aria-label="${say('records.title')}"><ul class="tabs">${own.map(
    (one) =>
      html`<li><a href="${linkTo(call, `/admin/${one}/`)}"${one === current && raw(' aria-current="page"')}>${say(`${one}.title`)}</a></li>`,
  )}</ul></nav>`
}
