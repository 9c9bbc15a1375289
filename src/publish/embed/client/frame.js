import { button, element } from './dom.js'

/** Creates the frame around every view: its name, links to other views, and messages while it loads. */
export function calendarFrame(root) {
  const region = element('section', { class: 'calendar', part: 'calendar' })
  const status = element('p', { class: 'unseen', role: 'status' })
  root.replaceChildren(region, status)
  const announce = (text) => {
    status.textContent = text
  }
  const place = (view, ...children) => {
    region.lang = view.language
    region.setAttribute('aria-label', view.regionName)
    region.removeAttribute('aria-busy')
    region.replaceChildren(...children.filter(Boolean))
  }
  return {
    announce,
    /** The previous content stays until new content is ready. */
    wait: (view) => {
      if (region.childElementCount === 0) {
        place(view, element('p', { class: 'empty', part: 'loading' }, view.say('embed.loading')))
      }
      region.setAttribute('aria-busy', 'true')
    },
    show: (view, { content, total, events, feed, focus }) => {
      const hadFocus = root.activeElement !== null
      const title = titleOf(view)
      const isLonger = view.name === 'list' && events.length < total
      place(
        view,
        head(view, title),
        view.name === 'list' && total > 0 && element('p', { class: 'count', part: 'count' }, view.count(total)),
        content,
        isLonger && longer(view, events.length),
        foot(view, feed),
      )
      if (focus && hadFocus) (focus(region) ?? region.querySelector('.title')).focus({ preventScroll: true })
      announce(focus ? `${title}, ${view.count(total)}` : '')
    },
    fail: (view, told, retry) => {
      const message = element('p', {}, [view.say('embed.failed'), told].filter(Boolean).join(' '))
      place(view, element('div', { class: 'empty', part: 'error', role: 'alert' }, message, retry))
    },
  }
}

const seek = (selector) => (region) => region.querySelector(selector)

function titleOf({ name, date, say, write }) {
  return name === 'list' ? say('upcoming') : write.line(name, date)
}

function head(view, title) {
  return element(
    'div',
    { class: 'page-head', part: 'head' },
    view.heading(0, { class: 'title', part: 'title', tabindex: -1 }, title),
    view.names.length > 1 && viewSwitch(view),
    view.name !== 'list' && steps(view),
  )
}

function viewSwitch({ name, names, say, choose }) {
  const choices = names.map((one) =>
    button({ class: 'quiet', 'aria-pressed': String(one === name), part: 'view' }, say(one), () =>
      choose({ view: one }, seek('[aria-pressed="true"]')),
    ),
  )
  return element('div', { class: 'steps', role: 'group', 'aria-label': say('views'), part: 'views' }, choices)
}

function steps(view) {
  const { name, say, today, goBy, choose, show, names, date } = view
  const isMonth = name === 'month'
  const step = (rel, count, sign) => {
    const label = say(`embed.${name}.${rel}`)
    return button({ class: 'quiet step', 'data-step': rel, 'aria-label': label, part: 'step' }, sign, () =>
      goBy(count, seek(`[data-step="${rel}"]`)),
    )
  }
  return element(
    'div',
    { class: 'steps', part: 'steps' },
    name === 'day' &&
      names.length < 2 &&
      button({ class: 'quiet', part: 'step' }, say('month'), () => show('month', date)),
    step('previous', -1, '‹'),
    button({ class: 'quiet', 'data-step': 'today', part: 'step' }, say(isMonth ? 'month.this' : 'today'), () =>
      choose({ date: today }, seek('[data-step="today"]')),
    ),
    step('next', 1, '›'),
  )
}

function longer(view, shown) {
  const more = button({ class: 'quiet', part: 'longer' }, view.say('embed.longer'), () =>
    view.choose({ limit: view.limit + view.step }, (region) => region.querySelectorAll('.card a')[shown]),
  )
  return element('p', { class: 'pager' }, more)
}

function foot({ say, base, spoken, settings }, feed) {
  const link = (href, text) => element('a', { href, part: 'foot-link' }, text)
  return element(
    'p',
    { class: 'foot', part: 'foot' },
    settings.hasPages && link(`${base}${spoken.path}/events/`, say('embed.site')),
    link(feed.replace(/^https?:/, 'webcal:'), say('subscribe')),
  )
}
