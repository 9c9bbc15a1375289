/** A phrase that the rules of CONTRIBUTING.md, “How we write”, exclude, and what to write instead. */
export interface Phrase {
  readonly pattern: RegExp
  readonly instead: string
}

const phrase = (pattern: RegExp, instead: string): Phrase => ({ pattern, instead })

/** The phrases that a text avoids. Patterns are general: one matches every sentence of its kind. */
export const avoidedPhrases: readonly Phrase[] = [
  // Rule 3: the reader is you.
  phrase(/\bone['’]s\b|\b(?:if|when|what|where|that) one (?:is|has|may|can|must|wants|finds)\b/i, '“you”, “your”'),
  // Rule 4: the actor and the thing are named.
  phrase(/\b(?:who|what|which|where|when|whom)(?:so)?ever\b/i, '“any”, “every”, or the name of the actor'),
  phrase(
    /\bthe ones that\b|\bthe ones? (?:before|after)\b|\bthose (?:before|after|behind) it\b/i,
    'the name of the thing',
  ),
  phrase(
    /\bsuch as there\b|\bthat there (?:is|are)(?: not| none| no)?\b(?! (?:is|are))/i,
    '“that exists”, “available”',
  ),
  phrase(/\bwhat (?:stands|hangs|lies|fails|broke|came|comes|goes|lasts|waits)\b/i, 'the name of the thing'),
  phrase(
    /\bof which (?:nothing|nobody|none)\b|\bnothing of (?:it|this|that|them)\b/i,
    'a sentence of its own: “The service does not …”',
  ),
  // Rule 2: present tense, active voice.
  phrase(/\b(?:is|are|was|were) to be \w+/i, '“must be”, or the active voice'),
  phrase(/\b(?:is|are|was|were|be|been) told\b(?! to\b)/i, '“reports”, “prints”, “names”'),
  phrase(/\b(?:is|are|was|were) (?:asked|called|waited|looked) for (?:longest|anew)\b/i, 'the active voice'),
  // Rule 5: “where” is for places.
  phrase(
    /\bwhere (?:it|they|he) (?:is|are|was|has|have|can|cannot|does|do|may|fails?|ends?)\b(?! (?:stored|kept|needed|sent|used))/i,
    '“if”',
  ),
  phrase(/\bwhere (?:nothing|none|nobody|somebody|there (?:is|are) (?:no|none|nothing|more|any|some))\b/i, '“if”'),
  phrase(/\bbut for\b|\ball but (?:the|for|one)\b|\bno \w+ but \w+/i, '“except”'),
  // Rule 6: standard words, one for one thing.
  phrase(/\b(?:listings|tally|tallies)\b/i, '“event index”, “daily counts”'),
  phrase(
    /\b(?:answers? (?:of|from|by|in) (?:the )?memory|memory (?:of|for) answers|kept answers?)\b/i,
    '“response cache”',
  ),
  phrase(/\b(?:wall clock|clocks? on the wall|on the clock of|on its own clock)\b/i, '“local time”'),
  phrase(/\b(?:new|old|newer|older|newest|later|earlier) forms?\b|\bforms? of (?:a|the) database\b/i, '“schema”'),
  phrase(
    /\bfiles of pictures\b|\bindex of words\b|\bpieces of three letters\b/i,
    '“picture files”, “search index”, “trigrams”',
  ),
  phrase(/\bends? TLS\b/i, '“terminates TLS”'),
  phrase(/\bread-me\b|\bdrop-in['’]s\b/i, '“README”, “a replacement”'),
  // Rule 7: plain verbs and plain English.
  phrase(
    /\bstand(?:s|ing)? (?:in|at|on|below|above|beside|there|apart|behind|before|between|alone|still|under|as|within|open)\b/i,
    '“is in”, “contains”',
  ),
  phrase(/\banew\b/i, '“again”'),
  phrase(/\bmend(?:s|ed|ing)?\b/i, '“fix”'),
  phrase(/\bheed(?:s|ed|ing)?\b/i, '“use”, “ignore”'),
  phrase(/\bpass(?:es|ed)? over\b/i, '“ignore”'),
  phrase(/\bbroken off\b|\bbreak(?:s|ing)? off\b/i, '“interrupted”, “reset”'),
  phrase(/\b(?:go|goes|going|went) on\b(?! (?:to|sale))/i, '“continue”'),
  phrase(/\b(?:come|comes|came|coming|take|takes|taken|took|go|goes) along\b/i, '“is copied”, “is included”'),
  phrase(/\bin (?:the|its|their) (?:place|stead) of\b|\btakes? the place of\b/i, '“instead of”, “replaces”'),
  phrase(
    /\bfor (?:so long|want of|good and all)\b|\bas ever\b|\bin about(?=[.,;)])/i,
    'the number, “because … is missing”, “as before”, “about”',
  ),
  phrase(
    /\b(?:by|of) so (?:many|much)\b|\bonly so many\b|\bso many (?:pixels|files|have|are)\b/i,
    'the number, or “limited”',
  ),
  phrase(/\bby hand\b/i, '“manually”, or name the step'),
  phrase(/\bin turn\b|\bby turns\b/i, '“one after the other”'),
  phrase(
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|later|older|larger|higher|lower|better|slower|one\b)[a-z]/i,
    '“is not a”',
  ),
  phrase(/\bnot? \w+ (?:any|no) more\b|\bany more\b/i, '“no longer”'),
  phrase(
    /\bdear to\b|\blest\b|\bthereof\b|\bwhereby\b|\btherein\b|\bhereby\b|\bhenceforth\b|\bfrom of old\b/i,
    'modern words',
  ),
  phrase(/\bwithout a word\b|\bin a word\b/i, '“silently”'),
  phrase(/\bits luck\b|\bis a hope\b/i, 'a plain statement'),
]

/** Markdown without code, quotations, link targets and HTML comments. Lines of one paragraph are joined. */
export function proseOf(markdown: string): readonly string[] {
  const text = markdown
    .replace(/^( *)(`{3,})[\s\S]*?^\1\2$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/`[^`\n]*`/g, 'CODE')
    .replace(/“[^”]*”/g, 'QUOTE')
    .replace(/\]\([^)]*\)/g, ']')
  return text.split(/\n{2,}|\n(?=[|#]|\s*(?:[-*]|\d+\.) )/).map((part) => part.replace(/\s+/g, ' ').trim())
}

/** The comments of a source file. Lines of one comment are joined; code in them is left out. */
export function commentsOf(source: string): readonly string[] {
  const found = source.matchAll(/(?<![^\s(,[{;])\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/[^\n]*\n?)+/gm)
  return [...found].map(([comment]) =>
    comment
      .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)/gm, ' ')
      .replace(/\*\/$/, '')
      .replace(/`[^`\n]*`/g, 'CODE')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/** Returns the avoided phrases in these texts of `name`, one line each. */
export function faultsOf(name: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    avoidedPhrases.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text)
      if (!found) return []
      const around = text.slice(Math.max(0, found.index - 40), found.index + found[0].length + 40)
      return [`${name}: “${found[0]}” in “… ${around} …”; write ${instead}`]
    }),
  )
}
