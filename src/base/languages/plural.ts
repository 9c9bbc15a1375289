/** A text by plural form of its language (Unicode CLDR, as `Intl.PluralRules`). `zero` is an optional text for 0. */
type PluralText = { readonly [form in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & { readonly other: string }

export type Text = string | PluralText

const rules = new Map<string, Intl.PluralRules>()

/** Returns the plural form of a text for a count. A count that is not a number takes the form for many. */
function pluralForm(text: Text, locale: string, count: string | number | undefined): string {
  if (typeof text === 'string') return text
  const number = Number(count)
  if (number === 0 && text.zero !== undefined) return text.zero
  const known = rules.get(locale) ?? new Intl.PluralRules(locale)
  rules.set(locale, known)
  return text[known.select(number)] ?? text.other
}

/** Returns a text in the plural form for `count`, with each `{name}` replaced. A name without a value stays. */
export function fillText(text: Text, locale: string, values: Readonly<Record<string, string | number>> = {}): string {
  return pluralForm(text, locale, values.count).replace(/\{(\w+)\}/g, (all, name: string) =>
    String(values[name] ?? all),
  )
}
