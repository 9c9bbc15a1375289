import { resolve } from 'node:path'
import { parseZone, type Zone } from '../time/zone.ts'

// Parsers of setting texts. Each throws an Error that says what the text must be.

/** A text that is not blank. */
export function nonEmptyText(text: string): string {
  if (text.trim() === '') throw new Error('text, and not empty')
  return text
}

/** Returns the whole path of a folder. */
export function folder(text: string): string {
  return resolve(nonEmptyText(text))
}

/** Parses a whole number within these bounds, written in digits. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d{1,9}$/.test(text) || number < least || number > most) {
      throw new Error(`a whole number from ${least} to ${most}`)
    }
    return number
  }
}

/** Parses a boolean in the words that are usual in an environment. */
export function booleanValue(text: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off|)$/i.test(text)) return false
  throw new Error('true or false')
}

/** Parses one of these words. */
export function word<const W extends string>(...words: readonly W[]): (text: string) => W {
  return (text) => {
    const found = words.find((one) => one === text)
    if (found === undefined) throw new Error(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
    return found
  }
}

/**
 * Parses a text that matches the pattern.
 *
 * @param what The format in words.
 */
export function matching(pattern: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (!pattern.test(text)) throw new Error(what)
    return text
  }
}

/** Parses the address of a website and removes a final slash. */
export function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error('an http or https address')
  return text.replace(/\/+$/, '')
}

export function zone(text: string): Zone {
  const found = parseZone(text)
  if (!found) throw new Error('a time zone name such as America/Toronto, or an offset such as UTC-5')
  return found
}
