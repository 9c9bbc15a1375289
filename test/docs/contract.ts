// The parts of docs/contract that texts may cite, and the citations (docs/contract/README.md, “Cite a page”).

/** A section of a page, with the sections below it; a page is one without a number. */
export interface Section {
  readonly number: string
  /** Headings, bold names at the start of a paragraph and first cells of tables, in lower case. */
  readonly names: ReadonlySet<string>
  /** Numbers of the rows of its tables that have a column `#`. */
  readonly rows: ReadonlySet<string>
}

/** The parts of a page that can be cited. */
export interface Page {
  readonly sections: readonly Section[]
  /** Numbers of its numbered list: rulings, or notes below a table. */
  readonly items: ReadonlySet<string>
}

export type Pages = ReadonlyMap<string, Page>

export function readPage(text: string): Page {
  const items = new Set([...text.matchAll(/^(\d+)\. /gm)].map(([, number = '']) => number))
  const headings = [...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? .*$/gm)]
  const numbered = headings.map(({ 1: number = '', index }, at) => {
    // A section ends before the next one that is not below it.
    const next = headings.slice(at + 1).find(({ 1: other = '' }) => !other.startsWith(`${number}.`))
    return sectionOf(number, text.slice(index, next?.index))
  })
  return { sections: [sectionOf('', text), ...numbered], items }
}

function sectionOf(number: string, text: string): Section {
  const headings = [...text.matchAll(/^#{1,4} (?:\d+(?:\.\d+)*\.? )?(.+)$/gm)]
  const bold = [...text.matchAll(/(?:^|\. )\*\*([^*\n]+)\*\*/gm)]
  const cells = [...text.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell)
  const named = [...headings, ...bold].map(([, name = '']) => name)
  // `ticketed (V+T)` is the row “ticketed”, and `date, date_utc` are the rows of both.
  const names = [...named, ...cells.flatMap((cell) => [cell, ...cell.replace(/ \(.*\)$/, '').split(', ')])]
  return {
    number,
    names: new Set(names.map((name) => name.replaceAll(/[`*]/g, '').toLowerCase())),
    rows: new Set(cells.filter((cell) => /^[A-Z]?\d+$/.test(cell))),
  }
}

const page = String.raw`(?<![\w./-])(?:docs\/contract\/)?([a-z]+(?:-[a-z]+)*)\.md\b`
const section = String.raw`§\d+(?:\.\d+)*`
const numbers = String.raw`\d+(?:(?:, | and | to )\d+)*`
const place = `(?:${section}(?: rows? ${numbers}| "[^"]+")*|F\\d+|note ${numbers}|${numbers}|"[^"]+")`
const places = `${place}(?:(?:,| and) ${place})*`
/** Text that looks like the rest of a citation in another form. */
const rest = String.raw`(?:[,;]? (?:and )?(?:rows? (?!\$)|§|\d|F\d|[“"]|\(\d)| ?§)`

/** A citation as it is written, and its fault, if any. */
export interface Citation {
  readonly text: string
  readonly fault?: string
}

/**
 * Returns all citations of a text, each resolved.
 *
 * @param own The page of the text: its sections may be cited without its name.
 */
export function citationsOf(source: string, pages: Pages, own?: string): readonly Citation[] {
  // A citation may continue on the next line of a comment.
  const text = source.replaceAll(/\s*\n\s*(?:\/\/+|\*(?!\*|\/)|#|>)?\s*/g, ' ')
  const found: Citation[] = []
  const without = text.replaceAll(new RegExp(`${page}(?: (${places}))?(${rest})?`, 'g'), (cited, ...groups) => {
    const [name = '', where, more] = groups as (string | undefined)[]
    // Texts also name pages outside the contract; those have no numbered sections.
    if (where === undefined && more === undefined && !pages.has(name)) return ''
    found.push({ text: cited, ...resolve(pages.get(name), where, more) })
    return ''
  })
  const ownPlace = new RegExp(`(${section}(?: rows? ${numbers}| "[^"]+")*(?:(?:,| and) ${place})*)(${rest})?`, 'g')
  for (const [cited, where = '', more] of without.matchAll(ownPlace)) {
    found.push({
      text: cited,
      ...(own === undefined ? { fault: 'names no page' } : resolve(pages.get(own), where, more)),
    })
  }
  for (const [cited] of text.matchAll(/\bcontracts? on \w+/gi)) found.push({ text: cited, fault: 'names no page' })
  return found
}

function resolve(cited: Page | undefined, where = '', more?: string): { readonly fault?: string } {
  if (!cited) return { fault: 'is of no page of the contract' }
  if (more !== undefined) return { fault: 'is in no known form' }
  const wrong = [...where.matchAll(new RegExp(place, 'g'))].map(([one]) => one).find((one) => !hasPlace(cited, one))
  return wrong === undefined ? {} : { fault: `leads nowhere: ${wrong}` }
}

function hasPlace(cited: Page, where: string): boolean {
  const [, number = '', tail = ''] = /^(?:§([\d.]*\d))?(.*)$/.exec(where) ?? []
  const of = cited.sections.find((candidate) => candidate.number === number)
  if (!of) return false
  if (/^(?:note )?\d/.test(tail)) return numbersOf(tail).every((one) => cited.items.has(one))
  if (tail.startsWith('F')) return of.rows.has(tail)
  return (
    [...tail.matchAll(/"([^"]+)"/g)].every(([, name = '']) => of.names.has(name.toLowerCase())) &&
    numbersOf(tail.replaceAll(/"[^"]+"/g, '')).every((one) => of.rows.has(one))
  )
}

/** Parses `6, 7 and 12 to 14` as numbers: the ends of a range stand for it. */
function numbersOf(text: string): readonly string[] {
  return [...text.matchAll(/\d+/g)].map(([one]) => one)
}
