// Signs that people cannot tell apart, or that programs write in place of each other, are one sign (rulings.md 45).

/** What takes no space: soft hyphens, joiners, marks of direction, and the line that stretches Arabic words. */
export const invisibleSigns = /[\p{Default_Ignorable_Code_Point}\u0640]+/gu

/** Accents that are typed in place of an apostrophe. Their compatibility forms would be blanks. */
export const loneAccents = /[´΄᾽᾿῾]/g

/** The first one suits all texts. The others need a letter or sign that is not ASCII, or that `isPlain` knows. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\p{White_Space}\u2800]+/gu, ' '],
  [/« ([^«»]*) »/g, '"$1"'],
  [/[`‘’‚‛‹›′‵ʹʻʼʽʾʿˈˊˋ՚׳ꞌ]/g, "'"],
  [/''|[״‶]|(?!')\p{Quotation_Mark}/gu, '"'],
  [/[〜∼]/g, '~'],
  [/[\p{Dash}˗⁃➖]+/gu, '-'],
  [/[•‧∙⋅・⸱]/g, '·'],
  [/[⁄∕]/g, '/'],
  [/×/g, 'x'],
  [/°/g, 'o'],
]

/** Whether an ASCII text has only signs that stay. */
export function isPlain(text: string): boolean {
  return !/[\t-\r`]| {2}|''|--|^ | $/.test(text)
}

/**
 * Returns a text with one sign for all that look like it: apostrophes, quotation marks, dashes and dots; one blank for each
 * run of blanks, and none at the ends. The text is in its compatibility form.
 */
export function withPlainSigns(text: string): string {
  return replacements.reduce((plain, [alike, sign]) => plain.replace(alike, sign), text).trim()
}
