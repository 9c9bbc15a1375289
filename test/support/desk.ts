import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'
import type { Role } from '../../src/access/auth/actor.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { form } from './pictures.ts'
import { goodPassword, setOwnPassword } from './signing.ts'

/** A browser at the desk. It keeps its cookie and sends forms as a browser does. */
export interface DeskBrowser {
  readonly get: (path: string) => Promise<TestAnswer>
  /** Sends a form with the hidden fields of the page that was read last, and these fields. */
  readonly send: (path: string, fields?: Fields, headers?: Readonly<Record<string, string>>) => Promise<TestAnswer>
  /** Sends a form with a picture, as a browser does. */
  readonly sendFile: (
    path: string,
    file: { bytes: Buffer; name: string },
    fields?: Record<string, string>,
  ) => Promise<TestAnswer>
  /** Ends the session, as time does. */
  forget(): void
}

type Fields = Readonly<Record<string, string | readonly string[]>>

export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Returns the fields of the main form of a page: hidden ones, and those with a value. */
export function fieldsIn(text: string): Readonly<Record<string, string>> {
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  const fields = [...main.matchAll(/<input ([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
    const isOff = /type="(?:checkbox|radio)"/.test(attributes) && !/ checked/.test(attributes)
    const name = value('name')
    return name === undefined || isOff ? [] : [[name, decode(value('value') ?? '')] as const]
  })
  const areas = [...main.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)]
  return Object.fromEntries([...fields, ...areas.map(([, name = '', value = '']) => [name, decode(value)] as const)])
}

/** Returns all that a browser would send of the main form of a page, choices as well. */
export function fieldsShown(text: string): Fields {
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  const boxes = [...main.matchAll(/<input type="(?:checkbox|radio)"[^>]*? name="([^"]*)" value="([^"]*)" checked/g)]
  const selects = [...main.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)]
  const chosen = selects.map(([, name = '', options = '']) => {
    const value = /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options)
    return [name, decode(value?.[1] ?? '')] as const
  })
  const on = Object.entries(Object.groupBy(boxes, ([, name = '']) => name)).map(
    ([name, all = []]) => [name, all.map(([, , value = '']) => decode(value))] as const,
  )
  return { ...fieldsIn(text), ...Object.fromEntries([...chosen, ...on]) }
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#039;', "'")
    .replaceAll('&amp;', '&')
}

export function formText(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  )
  return new URLSearchParams(pairs).toString()
}

export function openDesk(app: TestApp): DeskBrowser {
  let cookie = ''
  let shown: Readonly<Record<string, string>> = {}
  const keep = (answer: TestAnswer): TestAnswer => {
    const set = answer.headers['set-cookie']
    if (set !== undefined) cookie = String(set).split(';')[0] ?? ''
    if (answer.status !== 303) shown = fieldsIn(answer.text)
    return answer
  }
  const headers = () => ({ ...(cookie === '' ? {} : { cookie }), ...sameOrigin })
  return {
    get: async (path) => keep(await app.send({ path: `/${path}`, headers: headers() })),
    send: async (path, fields = {}, more = {}) =>
      keep(
        await app.send({
          ...{ method: 'POST', path: `/${path}`, headers: { ...headers(), ...more } },
          // Somebody who is asked whether to publish in one language says yes.
          form: formText({ ...shown, ...('asked_once' in shown ? { asked_once: '1' } : {}), ...fields }),
        }),
      ),
    sendFile: async (path, { bytes, name }, fields = {}) => {
      const { payload, headers: type } = form(bytes, name, { ...shown, ...fields })
      return keep(await app.send({ method: 'POST', path: `/${path}`, headers: { ...headers(), ...type }, payload }))
    },
    forget: () => {
      cookie = ''
    },
  }
}

/** Reads the page to which a form was answered, as a browser does. */
export async function shownAfter(desk: DeskBrowser, { status, headers, text }: TestAnswer): Promise<TestAnswer> {
  assert.equal(status, 303, text)
  return desk.get(headers.location?.split('#')[0] ?? '')
}

/** Returns the address to which a form leads, and what the message there says. */
export function toldAfter({ headers }: TestAnswer): readonly [address: string, text: string] {
  const address = headers.location ?? ''
  const [, packed = ''] = /[?&]result=([^.&#]*)/.exec(address) ?? []
  const told = packed === '' ? { text: '' } : JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString())
  const plain = address.replace(/[?&]result=[^&#]*/, '')
  return [plain, told.text]
}

/** Returns a browser at the desk in which a user of this role has signed in. */
export async function givenDesk(app: TestApp, as: Role): Promise<DeskBrowser> {
  await setOwnPassword(app, as)
  const desk = openDesk(app)
  const { status } = await desk.send('/admin/sign-in/', { login: as, password: goodPassword })
  assert.equal(status, 303)
  return desk
}
