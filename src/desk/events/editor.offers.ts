import { type Html, html } from '../../base/text/html.ts'
import { AVAILABILITIES } from '../../calendar/events/model/offers.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import { type Choice, field, select } from '../shell/fields.ts'

/** The most that the interface takes. */
const maxOffers = 20
const emptyRows = 2

const members = ['name', 'price', 'currency', 'url', 'availability', 'valid_from', 'valid_through'] as const
type Member = (typeof members)[number]

/** An offer as the interface shows it. Its members that the desk does not know are kept. */
export type Offer = Readonly<Record<string, string>>

const labels = {
  name: 'editor.offer.name',
  price: 'editor.offer.price',
  currency: 'editor.offer.currency',
  url: 'editor.offer.url',
  availability: 'editor.availability',
  valid_from: 'editor.offer.from',
  valid_through: 'editor.offer.through',
} as const satisfies Readonly<Record<Member, Parameters<OwnCall['say']>[0]>>

function availabilityChoices({ say }: Pick<OwnCall, 'say'>): readonly Choice[] {
  return [['', say('editor.availability.none')], ...AVAILABILITIES.map((one): Choice => [one, say(`editor.${one}`)])]
}

/** Returns offers as the text that the editor compares. */
export function offersText(offers: unknown): string {
  return Array.isArray(offers) && offers.length > 0 ? JSON.stringify(offers.map(inOrder)) : ''
}

function inOrder(offer: Offer): Offer {
  return Object.fromEntries(Object.entries(offer).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns the offers of a text that a form holds; an empty list if the text is something else. */
export function offersOf(text: string): readonly Offer[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.slice(0, maxOffers).filter(isOffer) : []
  } catch {
    return []
  }
}

function isOffer(value: unknown): value is Offer {
  return value !== null && typeof value === 'object' && Object.values(value).every((one) => typeof one === 'string')
}

/** Returns the offers of a form, without empty rows. Undefined if the form has no rows. */
export function offersIn(form: DeskForm): string | undefined {
  const rows: Offer[] = []
  if (!form.pairs.some(([name]) => name.startsWith('offer.'))) return undefined
  for (let row = 0; row < maxOffers; row += 1) {
    const typed = Object.fromEntries(members.map((name) => [name, form.get(`offer.${row}.${name}`).trim()]))
    const { price = '', ...others } = typed
    const filled = Object.entries({ ...others, ...pricesOf(price) }).filter(([, value]) => value !== '')
    // A currency alone sells nothing: it is there because the site has one.
    if (filled.some(([name]) => name !== 'currency')) rows.push(Object.fromEntries(filled))
  }
  return offersText(rows)
}

/** Returns the price or the range that a text names: `12,50`, `10 – 20`. */
function pricesOf(text: string): Offer {
  const parts = text.split(/\s*[–-]\s*|\s+(?:to|à)\s+/).map((part) => part.replace(/[$\s]/g, '').replace(',', '.'))
  const [low = '', high] = parts
  return high === undefined ? { price: low } : { low_price: low, high_price: high }
}

function priceText({ price, low_price: low, high_price: high }: Offer): string {
  return price ?? [low, high].filter((part) => part !== undefined).join(' – ')
}

/** Returns the rows of the offers, with empty ones at their end. */
export function offerRows(call: OwnCall, text: string): Html {
  const { say } = call
  const offers = offersOf(text)
  const rows = [...offers, ...Array<Offer>(emptyRows).fill({})].slice(0, maxOffers)
  return html`<details class="more"${offers.length > 0 && html` open`}><summary>${say('editor.offers')}</summary>
<p class="hint">${say('editor.offers.hint')}</p>
${rows.map((offer, row) => offerRow(call, offer, row))}
</details>`
}

/** Returns the label of a field of an offer: “Ticket 2 – Currency” for `1.currency`. Undefined if there is no such field. */
export function offerLabel({ say }: OwnCall, part: string): string | undefined {
  const [, place, member] = /^(\d+)\.(\w+)$/.exec(part) ?? []
  const label = Object.entries(labels).find(([name]) => name === member?.replace(/^(?:low|high)_price$/, 'price'))?.[1]
  return label && `${say('editor.offer', { number: Number(place) + 1 })} – ${say(label)}`
}

function offerRow({ say }: OwnCall, offer: Offer, row: number): Html {
  const values: Offer = { ...offer, price: priceText(offer) }
  const shared = (name: Member) => ({
    name: `offer.${row}.${name}`,
    label: say(labels[name]),
    value: values[name] ?? '',
  })
  return html`<fieldset class="offer"><legend>${say('editor.offer', { number: row + 1 })}</legend>
<div class="pair">${field({ ...shared('name'), maxLength: 200 })}${field(shared('price'))}${field({ ...shared('currency'), maxLength: 3 })}</div>
<div class="pair">${field(shared('url'))}${select({ ...shared('availability'), choices: availabilityChoices({ say }) })}</div>
<div class="pair">${field(shared('valid_from'))}${field(shared('valid_through'))}</div>
</fieldset>`
}
