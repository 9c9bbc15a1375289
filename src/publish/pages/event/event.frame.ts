import { directionOf, TEXT_LANGUAGE_CODES, TEXT_LANGUAGE_PATHS } from '../../../base/languages/language.ts'
import { html } from '../../../base/text/html.ts'
import { whenText } from '../date.texts.ts'
import type { PageAnswer, PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { pathOf } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { findEmbedded, findMovedCard } from '../series/series.embedded.ts'
import {
  cardTitle,
  excerptText,
  isMasked,
  lastingBadges,
  pictureElement,
  placeLine,
  timeElement,
} from './event.card.ts'
import { hasLeftVenue, isOff, stateBadges, statedTitle, struckIf } from './event.states.ts'

/**
 * Answers `/event/{slug}/embed/`: an event as a card that any site may show in a frame. Its links leave the frame. The
 * card of a series is its next date.
 *
 * @param end The slug, or the path of a date of a series.
 */
export async function eventFrame(call: PageCall, end: string): Promise<PageAnswer> {
  const { deps, addresses, textLanguage, files, say } = call
  const found = await findEmbedded(call, end)
  if (!found) return (await findMovedCard(call, end)) ?? notFoundPage(call)
  const { event, url } = found
  const place = isMasked(event) ? '' : placeLine(event)
  const lead = isMasked(event) ? '' : excerptText(event)
  const title = cardTitle(event)
  const states = stateBadges(call, event)
  const own = TEXT_LANGUAGE_CODES[textLanguage]
  const document = html`<!doctype html>
<html lang="${own}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${say('page-title', { title: statedTitle(call, event), site: deps.config.siteName })}</title>
<link rel="canonical" href="${url}">
<link rel="stylesheet" href="${pathOf(call, files.style)}">
${files.theme && html`<link rel="stylesheet" href="${pathOf(call, files.theme)}">`}
</head>
<body>
<main>
<article class="event"${langAttribute(call, event)}>
${(states.length > 0 || event.isFeatured || isMasked(event)) && html`<p class="badges" lang="${own}" dir="${directionOf(own)}">${states}${lastingBadges(call, event)}</p>`}
<p class="event-when" lang="${own}" dir="${directionOf(own)}">${struckIf(isOff(event), timeElement(event, whenText(textLanguage, event)))}</p>
<h1><a href="${url}" target="_top">${title}</a></h1>
${place !== '' && html`<p class="card-place">${struckIf(hasLeftVenue(event), html`${place}`)}</p>`}
${lead !== '' && html`<p class="card-lead">${lead}</p>`}
${!isMasked(event) && event.image && html`<div class="event-picture">${pictureElement(call, event.image, { sizes: '100vw' })}</div>`}
<p><a href="${addresses.site}${TEXT_LANGUAGE_PATHS[textLanguage]}/events/" target="_top">${deps.config.siteName}</a></p>
</article>
</main>
</body>
</html>
`
  return { kind: 'frame', document }
}
