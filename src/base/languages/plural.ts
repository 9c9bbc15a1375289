/** A text in the forms that a number decides on, by the rules of its language (Unicode CLDR, as `Intl.PluralRules`). */
interface PluralText {
  /** In place of the form for 0, where nothing is said otherwise. */
  readonly zero?: string
  readonly one: string
  readonly other: string
}

export type Text = string | PluralText

const rules = new Map<string, Intl.PluralRules>()

/** The form of a text for a count. What is no number takes the form for many. */
function pluralForm(text: Text, locale: string, count: string | number | undefined): string {
  if (typeof text === 'string') return text
  const number = Number(count)
  if (number === 0 && text.zero !== undefined) return text.zero
  const known = rules.get(locale) ?? new Intl.PluralRules(locale)
  rules.set(locale, known)
  return known.select(number) === 'one' ? text.one : text.other
}

/** A text in the form that `count` asks for, with `{name}` replaced by the value of that name; without one it stays. */
export function fillText(text: Text, locale: string, values: Readonly<Record<string, string | number>> = {}): string {
  return pluralForm(text, locale, values.count).replace(/\{(\w+)\}/g, (all, name: string) =>
    String(values[name] ?? all),
  )
}
